//! The buffers that contestants fill.

use libdv_abi::Bytes;

use crate::measure::Output;

/// A keep mask: libdv fills its bytes, the peers its words.
pub struct Mask {
    pub words: Vec<u64>,
    size: usize,
}

impl Mask {
    pub fn of(rows: i64) -> Mask {
        Mask {
            words: vec![0; crate::data::words(rows)],
            size: (rows as usize).div_ceil(8),
        }
    }

    /// The keep mask of `rows` rows without these, worked out the plain way.
    pub fn without(positions: &[i64], rows: i64) -> Mask {
        let mut mask = Mask::of(rows);
        mask.words.fill(u64::MAX);
        for &position in positions {
            mask.words[(position / 64) as usize] &= !(1 << (position % 64));
        }
        crate::peers::trim(&mut mask.words, rows);
        mask
    }

    /// The bytes of the mask: those of the words, but for padding.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the same memory, seen as bytes; the words hold at least size of them.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr().cast(), self.size) }
    }

    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast(), self.size) }
    }
}

impl Output for Mask {
    fn spoil(&mut self) {
        self.words.fill(0x5A5A_5A5A_5A5A_5A5A);
    }
}

/// Positions in a buffer with room for all of them.
pub struct Positions {
    pub values: Vec<i64>,
    pub count: usize,
}

impl Positions {
    pub fn room(count: usize) -> Positions {
        Positions {
            values: vec![0; count],
            count: 0,
        }
    }

    pub fn get(&self) -> &[i64] {
        &self.values[..self.count]
    }
}

impl Output for Positions {
    fn spoil(&mut self) {
        self.values.fill(-1);
        self.count = 0;
    }
}

/// A blob: the library's own memory, or a buffer that a peer fills again and again.
pub struct Blob {
    pub ours: Option<Bytes>,
    pub theirs: Vec<u8>,
}

impl Blob {
    pub fn room(size: usize) -> Blob {
        Blob {
            ours: None,
            theirs: Vec::with_capacity(size),
        }
    }

    pub fn get(&self) -> &[u8] {
        self.ours.as_deref().unwrap_or(&self.theirs)
    }
}

impl Output for Blob {
    fn spoil(&mut self) {
        self.ours = None;
        self.theirs.clear();
    }
}
