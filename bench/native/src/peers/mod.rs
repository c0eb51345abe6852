//! The other ways to do what libdv does: what an engine would write around a roaring library.

pub mod cbitmap;
pub mod croaring;
pub mod frame;
pub mod rust;

/// Clears the bits `[first, last]` of a mask.
pub fn clear_range(words: &mut [u64], first: usize, last: usize) {
    let (from, to) = (first / 64, last / 64);
    let head = u64::MAX << (first % 64);
    let tail = u64::MAX >> (63 - last % 64);
    if from == to {
        words[from] &= !(head & tail);
        return;
    }
    words[from] &= !head;
    words[from + 1..to].fill(0);
    words[to] &= !tail;
}

/// Clears one bit of a mask per value.
#[inline]
pub fn clear_values(words: &mut [u64], values: &[u32]) {
    for &value in values {
        if let Some(word) = words.get_mut(value as usize / 64) {
            *word &= !(1 << (value % 64));
        }
    }
}

/// Clears the bits past the last row.
pub fn trim(words: &mut [u64], rows: i64) {
    if let (Some(last), used @ 1..) = (words.last_mut(), rows % 64) {
        *last &= (1 << used) - 1;
    }
}

/// The part of a mask that holds the rows of one key, `None` where the mask ends before them.
pub fn of_key(words: &mut [u64], key: u32) -> Option<&mut [u64]> {
    words.get_mut((key as usize) << 26..)
}

/// Writes 32-bit values of one key as positions.
#[inline]
pub fn widen(values: &[u32], key: u32, out: &mut [i64]) {
    let high = i64::from(key) << 32;
    for (out, &value) in out.iter_mut().zip(values) {
        *out = high | i64::from(value);
    }
}

/// Writes the positions `[first, last]` and tells how many they are.
pub fn write_range(first: i64, last: i64, out: &mut [i64]) -> usize {
    let count = (last - first + 1) as usize;
    for (out, position) in out[..count].iter_mut().zip(first..) {
        *out = position;
    }
    count
}
