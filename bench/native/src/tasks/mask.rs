//! T1: a blob to the keep mask of all its rows.

use libdv_abi::{Library, Vector};

use super::outputs::Mask;
use crate::data::Case;
use crate::measure::{self, Checks, Contestant, Effort, Measured, Role};
use crate::peers::croaring::Way;
use crate::peers::{croaring, frame, rust};

pub fn run(library: &'static Library, case: &Case, effort: Effort) -> Vec<Measured> {
    let expected = Mask::without(&case.positions, case.rows);
    let mut out = Mask::of(case.rows);
    let check = |mask: &Mask| mask.bytes() == expected.bytes();
    measure::contest(
        &format!("T1 {}", case.label),
        contestants(library, case),
        &mut out,
        check,
        effort,
    )
}

pub fn contestants<'a>(library: &'static Library, case: &'a Case) -> Vec<Contestant<'a, Mask>> {
    let mut all = ours(library, case);
    all.push(Contestant::new("memory", Role::Limit, |out: &mut Mask| {
        std::hint::black_box(measure::read(&case.blob));
        measure::write(&mut out.words);
    }));
    all.push(Contestant::new("memory, CRC-32", Role::Floor, |out: &mut Mask| {
        std::hint::black_box(frame::open(&case.blob).map(<[u8]>::len));
        measure::write(&mut out.words);
    }));
    let (blob, rows) = (&*case.blob, case.rows);
    for checks in Checks::OF_BLOBS {
        let (role, check) = (Role::Peer(checks), checks.order());
        for (name, way) in [
            ("CRoaring 32 bit set", Way::Whole),
            ("CRoaring 32 values", Way::Values),
            ("CRoaring 32 ranges", Way::Ranges),
        ] {
            all.push(Contestant::new(name, role, move |out: &mut Mask| {
                croaring::mask32(blob, check, way, rows, &mut out.words);
            }));
        }
        for (name, way) in [("CRoaring 64 values", Way::Values), ("CRoaring 64 ranges", Way::Ranges)] {
            all.push(Contestant::new(name, role, move |out: &mut Mask| {
                croaring::mask64(blob, check, way, rows, &mut out.words);
            }));
        }
        for &(name, way) in rust::ways(case.is_full()) {
            all.push(Contestant::new(name, role, move |out: &mut Mask| {
                rust::mask(blob, check, way, rows, &mut out.words);
            }));
        }
    }
    all
}

fn ours<'a>(library: &'static Library, case: &'a Case) -> Vec<Contestant<'a, Mask>> {
    let (blob, rows, cardinality) = (&*case.blob, case.rows, case.positions.len() as i64);
    vec![
        Contestant::new("dv_blob_keep_mask", Role::Ours, move |out: &mut Mask| {
            library
                .blob_keep_mask(blob, cardinality, 0, rows, out.bytes_mut())
                .expect("dv_blob_keep_mask");
        }),
        Contestant::new("dv_deserialize, dv_keep_mask", Role::Variant, move |out: &mut Mask| {
            let vector = Vector::deserialize(library, blob, cardinality).expect("dv_deserialize");
            vector.keep_mask(0, rows, out.bytes_mut()).expect("dv_keep_mask");
        }),
        Contestant::new("dv_view, dv_keep_mask", Role::Variant, move |out: &mut Mask| {
            // SAFETY: the blob outlives the vector.
            let vector = unsafe { Vector::view(library, blob, cardinality) }.expect("dv_view");
            vector.keep_mask(0, rows, out.bytes_mut()).expect("dv_keep_mask");
        }),
    ]
}
