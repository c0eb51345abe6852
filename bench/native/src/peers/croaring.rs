//! What an engine would write around CRoaring: blob to mask, blob to positions, positions to blob, union.
//!
//! Every function comes for the 32-bit API, one bitmap per key, and for the 64-bit API. `check` tells whether
//! CRoaring's own validation runs after the safe deserialisation.

use super::cbitmap::{Bitmap32, Bitmap64, Range32, Range64};
use super::{clear_range, clear_values, frame, of_key, trim, widen, write_range};

/// Values per read of an iterator: 4 KiB, well inside the first cache.
const VALUES: usize = 1024;
const RANGES: usize = 256;

/// How a bitmap becomes a mask or a list.
#[derive(Clone, Copy)]
pub enum Way {
    /// In one call: a bit set, an array.
    Whole,
    /// Through the iterator, a buffer of values at a time.
    Values,
    /// Through the iterator, a buffer of runs at a time.
    Ranges,
}

/// Opens a blob and hands its bitmaps to `take`, one per key.
pub fn for_each_key(blob: &[u8], check: bool, mut take: impl FnMut(u32, Bitmap32)) -> Option<()> {
    let (count, mut rest) = frame::count(frame::open(blob)?)?;
    for _ in 0..count {
        let (key, bytes) = frame::key(rest)?;
        let (bitmap, size) = Bitmap32::read(bytes, check)?;
        rest = &bytes[size..];
        take(key, bitmap);
    }
    rest.is_empty().then_some(())
}

/// T1, 32-bit API.
pub fn mask32(blob: &[u8], check: bool, way: Way, rows: i64, words: &mut [u64]) {
    if !matches!(way, Way::Whole) {
        words.fill(u64::MAX);
    }
    let mut done = 0;
    for_each_key(blob, check, |key, bitmap| {
        let Some(words) = of_key(words, key) else { return };
        match way {
            Way::Whole => {
                let used = bitmap.to_words(words);
                words[..used].iter_mut().for_each(|word| *word = !*word);
                done = ((key as usize) << 26) + used;
            }
            Way::Values => keep_values(&bitmap, words),
            Way::Ranges => keep_ranges(&bitmap, words),
        }
    })
    .expect("a good blob");
    if matches!(way, Way::Whole) {
        words[done..].fill(u64::MAX);
    }
    trim(words, rows);
}

fn keep_values(bitmap: &Bitmap32, words: &mut [u64]) {
    let mut buffer = [0; VALUES];
    let mut cursor = bitmap.cursor();
    loop {
        let values = cursor.read(&mut buffer);
        clear_values(words, values);
        if values.len() < VALUES {
            return;
        }
    }
}

fn keep_ranges(bitmap: &Bitmap32, words: &mut [u64]) {
    let mut buffer = [Range32 { min: 0, max: 0 }; RANGES];
    let mut cursor = bitmap.cursor();
    loop {
        let ranges = cursor.read_ranges(&mut buffer);
        for range in ranges {
            clear_range(words, range.min as usize, range.max as usize);
        }
        if ranges.len() < RANGES {
            return;
        }
    }
}

/// T1, 64-bit API.
pub fn mask64(blob: &[u8], check: bool, way: Way, rows: i64, words: &mut [u64]) {
    let bitmap = frame::open(blob)
        .and_then(|bytes| Bitmap64::read(bytes, check))
        .expect("a good blob");
    words.fill(u64::MAX);
    match way {
        Way::Whole => unreachable!("the 64-bit API has no bit set"),
        Way::Values => bitmap.read_values(&mut [0; VALUES], |values| {
            for &value in values {
                if let Some(word) = words.get_mut(value as usize / 64) {
                    *word &= !(1 << (value % 64));
                }
            }
        }),
        Way::Ranges => bitmap.read_ranges(&mut [Range64 { min: 0, max: 0 }; RANGES], |ranges| {
            for range in ranges {
                clear_range(words, range.min as usize, range.max as usize);
            }
        }),
    }
    trim(words, rows);
}

/// T2, 32-bit API. `scratch` is where the values are narrow before they are widened.
pub fn positions32(blob: &[u8], check: bool, way: Way, scratch: &mut Vec<u32>, out: &mut [i64]) -> usize {
    let mut written = 0;
    for_each_key(blob, check, |key, bitmap| {
        let out = &mut out[written..];
        written += match way {
            Way::Whole => {
                let count = bitmap.cardinality();
                scratch.resize(count.max(scratch.len()), 0);
                bitmap.to_array(scratch);
                widen(&scratch[..count], key, out);
                count
            }
            Way::Values => widen_values(&bitmap, key, out),
            Way::Ranges => widen_ranges(&bitmap, key, out),
        };
    })
    .expect("a good blob");
    written
}

fn widen_values(bitmap: &Bitmap32, key: u32, out: &mut [i64]) -> usize {
    let mut buffer = [0; VALUES];
    let mut cursor = bitmap.cursor();
    let mut written = 0;
    loop {
        let values = cursor.read(&mut buffer);
        widen(values, key, &mut out[written..]);
        written += values.len();
        if values.len() < VALUES {
            return written;
        }
    }
}

fn widen_ranges(bitmap: &Bitmap32, key: u32, out: &mut [i64]) -> usize {
    let high = i64::from(key) << 32;
    let mut buffer = [Range32 { min: 0, max: 0 }; RANGES];
    let mut cursor = bitmap.cursor();
    let mut written = 0;
    loop {
        let ranges = cursor.read_ranges(&mut buffer);
        for range in ranges {
            written += write_range(
                high | i64::from(range.min),
                high | i64::from(range.max),
                &mut out[written..],
            );
        }
        if ranges.len() < RANGES {
            return written;
        }
    }
}

/// T2, 64-bit API.
pub fn positions64(blob: &[u8], check: bool, way: Way, out: &mut [i64]) -> usize {
    let bitmap = frame::open(blob)
        .and_then(|bytes| Bitmap64::read(bytes, check))
        .expect("a good blob");
    match way {
        Way::Whole => {
            bitmap.to_array(out);
            bitmap.cardinality()
        }
        Way::Values => unreachable!("the 64-bit API writes its values in place"),
        Way::Ranges => {
            let mut written = 0;
            bitmap.read_ranges(&mut [Range64 { min: 0, max: 0 }; RANGES], |ranges| {
                for range in ranges {
                    written += write_range(range.min as i64, range.max as i64, &mut out[written..]);
                }
            });
            written
        }
    }
}

/// T3, 32-bit API: positions of one key, in any order.
pub fn encode32(positions: &[i64], sort: bool, scratch: &mut Vec<u32>, out: &mut Vec<u8>) {
    scratch.clear();
    scratch.extend(positions.iter().map(|&position| position as u32));
    if sort {
        scratch.sort_unstable();
    }
    let mut bitmap = Bitmap32::of(scratch);
    write32(&mut bitmap, (positions[0] >> 32) as u32, out);
}

/// T3, 64-bit API: positions in any order.
pub fn encode64(positions: &[i64], out: &mut Vec<u8>) {
    let mut bitmap = Bitmap64::of(positions);
    write64(&mut bitmap, out);
}

fn write32(bitmap: &mut Bitmap32, key: u32, out: &mut Vec<u8>) {
    bitmap.run_optimize();
    frame::write(out, 12 + bitmap.size(), |out| {
        out.extend_from_slice(&1u64.to_le_bytes());
        out.extend_from_slice(&key.to_le_bytes());
        bitmap.write(out);
    });
}

fn write64(bitmap: &mut Bitmap64, out: &mut Vec<u8>) {
    bitmap.run_optimize();
    let size = bitmap.size();
    frame::write(out, size, |out| bitmap.write(out, size));
}

/// T4, 32-bit API: two blobs with the same single key.
pub fn merge32(a: &[u8], b: &[u8], check: bool, lazily: bool, out: &mut Vec<u8>) {
    let mut merged: Option<(u32, Bitmap32)> = None;
    for blob in [a, b] {
        for_each_key(blob, check, |key, bitmap| match &mut merged {
            None => merged = Some((key, bitmap)),
            Some((same, into)) => {
                assert_eq!(*same, key, "this peer merges one key");
                if lazily {
                    into.or_lazily(&bitmap)
                } else {
                    into.or(&bitmap)
                }
            }
        })
        .expect("a good blob");
    }
    let (key, mut bitmap) = merged.expect("blobs that hold something");
    write32(&mut bitmap, key, out);
}

/// T4, 64-bit API.
pub fn merge64(a: &[u8], b: &[u8], check: bool, out: &mut Vec<u8>) {
    let open = |blob| {
        frame::open(blob)
            .and_then(|bytes| Bitmap64::read(bytes, check))
            .expect("a good blob")
    };
    let mut merged = open(a);
    merged.or(&open(b));
    write64(&mut merged, out);
}

/// The keep mask of `[start, start + 64 * words.len())` out of one bitmap.
pub fn window(bitmap: &Bitmap32, start: u32, words: &mut [u64]) {
    words.fill(u64::MAX);
    let mut buffer = [0; 256];
    let mut cursor = bitmap.cursor();
    cursor.seek(start);
    loop {
        let values = cursor.read(&mut buffer);
        for &value in values {
            let at = (value - start) as usize;
            let Some(word) = words.get_mut(at / 64) else { return };
            *word &= !(1 << (at % 64));
        }
        if values.len() < buffer.len() {
            return;
        }
    }
}
