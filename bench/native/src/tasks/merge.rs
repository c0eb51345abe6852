//! T4: two blobs merged into a third.

use libdv_abi::{Library, Vector};

use super::outputs::Blob;
use crate::data::Case;
use crate::measure::{self, Checks, Contestant, Effort, Measured, Role};
use crate::peers::{croaring, rust};

pub fn run(library: &'static Library, case: &Case, other: &Case, effort: Effort) -> Vec<Measured> {
    let mut expected = [&case.positions[..], &other.positions].concat();
    expected.sort_unstable();
    expected.dedup();
    let mut out = Blob::room(case.blob.len() + other.blob.len() + 4096);
    let check = |out: &Blob| {
        let vector = Vector::deserialize(library, out.get(), expected.len() as i64);
        vector
            .and_then(|vector| vector.positions())
            .is_ok_and(|positions| positions == expected)
    };
    let contestants = contestants(library, case, other);
    measure::contest(&format!("T4 {}", case.label), contestants, &mut out, check, effort)
}

fn contestants<'a>(library: &'static Library, a: &'a Case, b: &'a Case) -> Vec<Contestant<'a, Blob>> {
    let cardinality = |case: &Case| case.positions.len() as i64;
    let (a_count, b_count) = (cardinality(a), cardinality(b));
    let (a, b) = (&*a.blob, &*b.blob);
    let mut room = vec![0u8; a.len().max(b.len())];
    let mut all = vec![
        Contestant::new(
            "dv_view twice, dv_or, dv_serialize",
            Role::Ours,
            move |out: &mut Blob| {
                out.ours = None;
                // SAFETY: the blobs outlive the vectors.
                let (mut into, from) = unsafe {
                    let view = |blob, count| Vector::view(library, blob, count).expect("dv_view");
                    (view(a, a_count), view(b, b_count))
                };
                into.or(&from).expect("dv_or");
                out.ours = Some(into.serialize().expect("dv_serialize"));
            },
        ),
        Contestant::new(
            "dv_deserialize twice, dv_or, dv_serialize",
            Role::Variant,
            move |out: &mut Blob| {
                out.ours = None;
                let read = |blob, count| Vector::deserialize(library, blob, count).expect("dv_deserialize");
                let (mut into, from) = (read(a, a_count), read(b, b_count));
                into.or(&from).expect("dv_or");
                out.ours = Some(into.serialize().expect("dv_serialize"));
            },
        ),
        Contestant::new("memory", Role::Limit, move |_: &mut Blob| {
            std::hint::black_box(measure::read(a) ^ measure::read(b));
            measure::write(&mut room);
        }),
    ];
    for checks in Checks::OF_BLOBS {
        let (role, check) = (Role::Peer(checks), checks.order());
        for (name, lazily) in [("CRoaring 32", false), ("CRoaring 32 lazy", true)] {
            all.push(Contestant::new(name, role, move |out: &mut Blob| {
                out.ours = None;
                croaring::merge32(a, b, check, lazily, &mut out.theirs);
            }));
        }
        all.push(Contestant::new("CRoaring 64", role, move |out: &mut Blob| {
            out.ours = None;
            croaring::merge64(a, b, check, &mut out.theirs);
        }));
        all.push(Contestant::new("roaring", role, move |out: &mut Blob| {
            out.ours = None;
            rust::merge(a, b, check, &mut out.theirs);
        }));
    }
    all
}
