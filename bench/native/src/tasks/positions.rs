//! T2: a blob to the list of its positions.

use libdv_abi::{Library, Vector};

use super::outputs::Positions;
use crate::data::Case;
use crate::measure::{self, Contestant, Effort, Measured, Role};
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
    for (check, [array, values, ranges, array64, ranges64, crate_values, crate_ranges]) in [
        (
            false,
            [
                "CRoaring 32 array",
                "CRoaring 32 values",
                "CRoaring 32 ranges",
                "CRoaring 64 array",
                "CRoaring 64 ranges",
                "roaring values",
                "roaring ranges",
            ],
        ),
        (
            true,
            [
                "CRoaring 32 array, validated",
                "CRoaring 32 values, validated",
                "CRoaring 32 ranges, validated",
                "CRoaring 64 array, validated",
                "CRoaring 64 ranges, validated",
                "roaring values, validated",
                "roaring ranges, validated",
            ],
        ),
    ] {
        let role = Role::Peer { checked: check };
        for (name, way) in [(array, Way::Whole), (values, Way::Values), (ranges, Way::Ranges)] {
            let mut scratch = Vec::new();
            all.push(Contestant::new(name, role, move |out: &mut Positions| {
                out.count = croaring::positions32(blob, check, way, &mut scratch, &mut out.values);
            }));
        }
        for (name, way) in [(array64, Way::Whole), (ranges64, Way::Ranges)] {
            all.push(Contestant::new(name, role, move |out: &mut Positions| {
                out.count = croaring::positions64(blob, check, way, &mut out.values);
            }));
        }
        let of_crate = [(crate_ranges, Way::Ranges), (crate_values, Way::Values)];
        for (name, way) in of_crate.into_iter().take(if case.is_full() { 1 } else { 2 }) {
            all.push(Contestant::new(name, role, move |out: &mut Positions| {
                out.count = rust::positions(blob, check, way, &mut out.values);
            }));
        }
    }
    all
}
