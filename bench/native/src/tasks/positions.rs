//! T2: a blob to the list of its positions.

use libdv_abi::{Library, Vector};

use super::outputs::Positions;
use crate::data::Case;
use crate::measure::{self, Checks, Contestant, Effort, Measured, Role};
use crate::peers::croaring::Way;
use crate::peers::{croaring, frame, rust};

pub fn run(library: &'static Library, case: &Case, effort: Effort) -> Vec<Measured> {
    let mut out = Positions::room(case.positions.len());
    let check = |out: &Positions| out.get() == case.positions;
    measure::contest(
        &format!("T2 {}", case.label),
        contestants(library, case),
        &mut out,
        check,
        effort,
    )
}

pub fn contestants<'a>(library: &'static Library, case: &'a Case) -> Vec<Contestant<'a, Positions>> {
    let (blob, cardinality) = (&*case.blob, case.positions.len() as i64);
    let mut all = vec![
        Contestant::new("dv_blob_positions", Role::Ours, move |out: &mut Positions| {
            out.count = library
                .blob_positions(blob, cardinality, &mut out.values)
                .expect("dv_blob_positions");
        }),
        Contestant::new(
            "dv_deserialize, dv_positions",
            Role::Variant,
            move |out: &mut Positions| {
                let vector = Vector::deserialize(library, blob, cardinality).expect("dv_deserialize");
                out.count = vector.positions_into(&mut out.values).expect("dv_positions");
            },
        ),
        Contestant::new("memory", Role::Limit, |out: &mut Positions| {
            std::hint::black_box(measure::read(blob));
            measure::write(&mut out.values);
        }),
        Contestant::new("memory, plain stores", Role::Limit, |out: &mut Positions| {
            std::hint::black_box(measure::read(blob));
            measure::store(&mut out.values);
        }),
        Contestant::new("memory, CRC-32", Role::Floor, |out: &mut Positions| {
            std::hint::black_box(frame::open(blob).map(<[u8]>::len));
            measure::write(&mut out.values);
        }),
    ];
    for checks in Checks::OF_BLOBS {
        let (role, check) = (Role::Peer(checks), checks.order());
        for (name, way) in [
            ("CRoaring 32 array", Way::Whole),
            ("CRoaring 32 values", Way::Values),
            ("CRoaring 32 ranges", Way::Ranges),
        ] {
            let mut scratch = Vec::new();
            all.push(Contestant::new(name, role, move |out: &mut Positions| {
                out.count = croaring::positions32(blob, check, way, &mut scratch, &mut out.values);
            }));
        }
        for (name, way) in [("CRoaring 64 array", Way::Whole), ("CRoaring 64 ranges", Way::Ranges)] {
            all.push(Contestant::new(name, role, move |out: &mut Positions| {
                out.count = croaring::positions64(blob, check, way, &mut out.values);
            }));
        }
        for &(name, way) in rust::ways(case.is_full()) {
            all.push(Contestant::new(name, role, move |out: &mut Positions| {
                out.count = rust::positions(blob, check, way, &mut out.values);
            }));
        }
    }
    all
}
