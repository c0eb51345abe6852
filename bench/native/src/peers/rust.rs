//! What an engine would write around the `roaring` crate.
//!
//! `next_many` of version 0.12.0 is wrong on a container that is one run of 65,536 values: [`ways`]
//! leaves [`Way::Values`] out where there are such containers.

use roaring::RoaringTreemap;

use super::croaring::Way;
use super::{clear_range, clear_values, frame, of_key, trim, widen, write_range};

const VALUES: usize = 1024;

/// The ways to read a bitmap; `full`: every row is deleted.
pub fn ways(full: bool) -> &'static [(&'static str, Way)] {
    if full {
        &[("roaring ranges", Way::Ranges)]
    } else {
        &[("roaring ranges", Way::Ranges), ("roaring values", Way::Values)]
    }
}

fn open(blob: &[u8], check: bool) -> Option<RoaringTreemap> {
    let bytes = frame::open(blob)?;
    if check {
        RoaringTreemap::deserialize_from(bytes).ok()
    } else {
        RoaringTreemap::deserialize_unchecked_from(bytes).ok()
    }
}

/// T1.
pub fn mask(blob: &[u8], check: bool, way: Way, rows: i64, words: &mut [u64]) {
    let treemap = open(blob, check).expect("a good blob");
    words.fill(u64::MAX);
    for (key, bitmap) in treemap.bitmaps() {
        let Some(words) = of_key(words, key) else { break };
        let mut values = bitmap.iter();
        if let Way::Ranges = way {
            while let Some(range) = values.next_range() {
                clear_range(words, *range.start() as usize, *range.end() as usize);
            }
            continue;
        }
        let mut buffer = [0; VALUES];
        loop {
            let values = values.next_many(&mut buffer);
            clear_values(words, values);
            if values.is_empty() {
                break;
            }
        }
    }
    trim(words, rows);
}

/// T2.
pub fn positions(blob: &[u8], check: bool, way: Way, out: &mut [i64]) -> usize {
    let treemap = open(blob, check).expect("a good blob");
    let mut written = 0;
    for (key, bitmap) in treemap.bitmaps() {
        let high = i64::from(key) << 32;
        let mut values = bitmap.iter();
        if let Way::Ranges = way {
            while let Some(range) = values.next_range() {
                let (first, last) = (high | i64::from(*range.start()), high | i64::from(*range.end()));
                written += write_range(first, last, &mut out[written..]);
            }
            continue;
        }
        let mut buffer = [0; VALUES];
        loop {
            let values = values.next_many(&mut buffer);
            widen(values, key, &mut out[written..]);
            written += values.len();
            if values.is_empty() {
                break;
            }
        }
    }
    written
}

/// T3, ascending positions.
pub fn encode_sorted(positions: &[i64], out: &mut Vec<u8>) {
    let values = positions.iter().map(|&position| position as u64);
    write(
        &mut RoaringTreemap::from_sorted_iter(values).expect("ascending positions"),
        out,
    );
}

/// T3, positions in any order.
pub fn encode(positions: &[i64], out: &mut Vec<u8>) {
    write(&mut positions.iter().map(|&position| position as u64).collect(), out);
}

/// T4.
pub fn merge(a: &[u8], b: &[u8], check: bool, out: &mut Vec<u8>) {
    let mut merged = open(a, check).expect("a good blob");
    merged |= open(b, check).expect("a good blob");
    write(&mut merged, out);
}

fn write(treemap: &mut RoaringTreemap, out: &mut Vec<u8>) {
    treemap.optimize();
    frame::write(out, treemap.serialized_size(), |out| {
        treemap.serialize_into(out).expect("memory takes everything");
    });
}
