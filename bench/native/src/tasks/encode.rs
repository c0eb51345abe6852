//! T3: positions to a blob, from sorted positions and from the same in random order.

use libdv_abi::{Library, Vector};

use super::outputs::Blob;
use crate::data::Case;
use crate::measure::{self, Checks, Contestant, Effort, Measured, Role};
use crate::peers::{croaring, rust};

/// `positions` are those of the case, in the order to measure.
pub fn run(library: &'static Library, case: &Case, positions: &[i64], effort: Effort) -> Vec<Measured> {
    let sorted = positions.is_sorted();
    let what = format!("T3 {}{}", case.label, if sorted { "" } else { " unsorted" });
    let mut out = Blob::room(case.blob.len() + 4096);
    // Peers may choose other containers: what counts is that the blob holds the positions.
    let check = |out: &Blob| {
        let vector = Vector::deserialize(library, out.get(), case.positions.len() as i64);
        vector
            .and_then(|vector| vector.positions())
            .is_ok_and(|positions| positions == case.positions)
    };
    measure::contest(
        &what,
        contestants(library, positions, sorted, case.blob.len()),
        &mut out,
        check,
        effort,
    )
}

fn contestants<'a>(
    library: &'static Library,
    positions: &'a [i64],
    sorted: bool,
    blob_size: usize,
) -> Vec<Contestant<'a, Blob>> {
    let peer = Role::Peer(Checks::Nothing);
    let mut room = vec![0u8; blob_size];
    let mut scratch = Vec::new();
    let mut all = vec![
        Contestant::new("dv_blob_from_positions", Role::Ours, move |out: &mut Blob| {
            out.ours = None;
            out.ours = Some(library.blob_from_positions(positions).expect("dv_blob_from_positions"));
        }),
        Contestant::new("dv_set_many, dv_serialize", Role::Variant, move |out: &mut Blob| {
            out.ours = None;
            let vector = Vector::of(library, positions).expect("dv_set_many");
            out.ours = Some(vector.serialize().expect("dv_serialize"));
        }),
        Contestant::new("memory", Role::Limit, move |_: &mut Blob| {
            std::hint::black_box(measure::read(as_bytes(positions)));
            measure::write(&mut room);
        }),
        Contestant::new("CRoaring 32", peer, move |out: &mut Blob| {
            out.ours = None;
            croaring::encode32(positions, false, &mut scratch, &mut out.theirs);
        }),
        Contestant::new("CRoaring 64", peer, move |out: &mut Blob| {
            out.ours = None;
            croaring::encode64(positions, &mut out.theirs);
        }),
        Contestant::new("roaring", peer, move |out: &mut Blob| {
            out.ours = None;
            if sorted {
                rust::encode_sorted(positions, &mut out.theirs);
            } else {
                rust::encode(positions, &mut out.theirs);
            }
        }),
    ];
    if !sorted {
        let mut scratch = Vec::new();
        all.push(Contestant::new("sort, CRoaring 32", peer, move |out: &mut Blob| {
            out.ours = None;
            croaring::encode32(positions, true, &mut scratch, &mut out.theirs);
        }));
    }
    all
}

fn as_bytes(positions: &[i64]) -> &[u8] {
    // SAFETY: the same memory, seen as bytes.
    unsafe { std::slice::from_raw_parts(positions.as_ptr().cast(), size_of_val(positions)) }
}
