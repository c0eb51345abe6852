//! T1: a blob to the keep mask of all its rows.

use libdv_abi::{Library, Vector};

use super::outputs::Mask;
use crate::data::Case;
use crate::measure::{self, Contestant, Effort, Measured, Role};
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
    for (check, [bits, values, ranges, values64, ranges64, crate_values, crate_ranges]) in [
        (
            false,
            [
                "CRoaring 32 bit set",
                "CRoaring 32 values",
                "CRoaring 32 ranges",
                "CRoaring 64 values",
                "CRoaring 64 ranges",
                "roaring values",
                "roaring ranges",
            ],
        ),
        (
            true,
            [
                "CRoaring 32 bit set, validated",
                "CRoaring 32 values, validated",
                "CRoaring 32 ranges, validated",
                "CRoaring 64 values, validated",
                "CRoaring 64 ranges, validated",
                "roaring values, validated",
                "roaring ranges, validated",
            ],
        ),
    ] {
        let role = Role::Peer { checked: check };
        let (blob, rows) = (&*case.blob, case.rows);
        for (name, way) in [(bits, Way::Whole), (values, Way::Values), (ranges, Way::Ranges)] {
            all.push(Contestant::new(name, role, move |out: &mut Mask| {
                croaring::mask32(blob, check, way, rows, &mut out.words);
            }));
        }
        for (name, way) in [(values64, Way::Values), (ranges64, Way::Ranges)] {
            all.push(Contestant::new(name, role, move |out: &mut Mask| {
                croaring::mask64(blob, check, way, rows, &mut out.words);
            }));
        }
        let of_crate = [(crate_ranges, Way::Ranges), (crate_values, Way::Values)];
        for (name, way) in of_crate.into_iter().take(if case.is_full() { 1 } else { 2 }) {
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
