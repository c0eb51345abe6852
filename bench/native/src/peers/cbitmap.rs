//! Owners of CRoaring's bitmaps: its 32-bit API per key and its 64-bit API.

use croaring_sys as c;

/// A `roaring_bitmap_t`.
pub struct Bitmap32(*mut c::roaring_bitmap_t);

impl Bitmap32 {
    /// Reads one bitmap of the portable format and tells how many bytes it took. `check` also runs CRoaring's
    /// validation, which its documentation asks for where the bytes are not trusted.
    pub fn read(data: &[u8], check: bool) -> Option<(Bitmap32, usize)> {
        // SAFETY: pointer and size of one slice; the safe variant stays within them.
        let raw = unsafe { c::roaring_bitmap_portable_deserialize_safe(data.as_ptr().cast(), data.len()) };
        if raw.is_null() {
            return None;
        }
        let bitmap = Bitmap32(raw);
        let mut reason = std::ptr::null();
        // SAFETY: a live bitmap and an out pointer.
        if check && !unsafe { c::roaring_bitmap_internal_validate(raw, &mut reason) } {
            return None;
        }
        let size = bitmap.size();
        Some((bitmap, size))
    }

    /// The bitmap of these values, in any order.
    pub fn of(values: &[u32]) -> Bitmap32 {
        // SAFETY: pointer and count of one slice.
        Bitmap32(unsafe { c::roaring_bitmap_of_ptr(values.len(), values.as_ptr()) })
    }

    pub fn copy(&self) -> Bitmap32 {
        // SAFETY: a live bitmap.
        Bitmap32(unsafe { c::roaring_bitmap_copy(self.0) })
    }

    pub fn add_many(&mut self, values: &[u32]) {
        // SAFETY: a live bitmap, pointer and count of one slice.
        unsafe { c::roaring_bitmap_add_many(self.0, values.len(), values.as_ptr()) }
    }

    pub fn or(&mut self, other: &Bitmap32) {
        // SAFETY: two live bitmaps.
        unsafe { c::roaring_bitmap_or_inplace(self.0, other.0) }
    }

    /// The union without counting while merging; the counts are repaired at the end.
    pub fn or_lazily(&mut self, other: &Bitmap32) {
        // SAFETY: two live bitmaps; the repair follows before any other use.
        unsafe {
            c::roaring_bitmap_lazy_or_inplace(self.0, other.0, true);
            c::roaring_bitmap_repair_after_lazy(self.0);
        }
    }

    pub fn run_optimize(&mut self) {
        // SAFETY: a live bitmap.
        unsafe { c::roaring_bitmap_run_optimize(self.0) };
    }

    pub fn cardinality(&self) -> usize {
        // SAFETY: a live bitmap.
        unsafe { c::roaring_bitmap_get_cardinality(self.0) as usize }
    }

    /// The size of the portable form.
    pub fn size(&self) -> usize {
        // SAFETY: a live bitmap.
        unsafe { c::roaring_bitmap_portable_size_in_bytes(self.0) }
    }

    /// Appends the portable form.
    pub fn write(&self, out: &mut Vec<u8>) {
        let size = self.size();
        out.reserve(size);
        // SAFETY: size bytes are reserved and all of them get written.
        unsafe {
            c::roaring_bitmap_portable_serialize(self.0, out.as_mut_ptr().add(out.len()).cast());
            out.set_len(out.len() + size);
        }
    }

    /// Fills the first words with the bitmap, up to its largest value; returns how many they are.
    pub fn to_words(&self, words: &mut [u64]) -> usize {
        // SAFETY: a live bitmap.
        let largest = unsafe { c::roaring_bitmap_maximum(self.0) } as usize;
        assert!(largest / 64 < words.len(), "a value past the mask");
        let mut bitset = c::bitset_s {
            array: words.as_mut_ptr(),
            arraysize: 0,
            capacity: words.len(),
        };
        // SAFETY: the bitset has room for the largest value, so CRoaring never reallocates it.
        unsafe { c::roaring_bitmap_to_bitset(self.0, &mut bitset) };
        bitset.arraysize
    }

    /// Writes all values, ascending.
    pub fn to_array(&self, out: &mut [u32]) {
        assert!(out.len() >= self.cardinality());
        // SAFETY: there is room for all of them.
        unsafe { c::roaring_bitmap_to_uint32_array(self.0, out.as_mut_ptr()) }
    }

    pub fn cursor(&self) -> Cursor32<'_> {
        let mut raw = std::mem::MaybeUninit::uninit();
        // SAFETY: a live bitmap; init fills the iterator.
        unsafe {
            c::roaring_iterator_init(self.0, raw.as_mut_ptr());
            Cursor32 {
                raw: raw.assume_init(),
                _bitmap: std::marker::PhantomData,
            }
        }
    }
}

impl Drop for Bitmap32 {
    fn drop(&mut self) {
        // SAFETY: owned, freed once.
        unsafe { c::roaring_bitmap_free(self.0) }
    }
}

/// CRoaring's iterator over a 32-bit bitmap.
pub struct Cursor32<'a> {
    raw: c::roaring_uint32_iterator_t,
    _bitmap: std::marker::PhantomData<&'a Bitmap32>,
}

pub type Range32 = c::roaring_uint32_range_closed_t;
pub type Range64 = c::roaring64_range_closed_t;

impl Cursor32<'_> {
    pub fn read<'b>(&mut self, buffer: &'b mut [u32]) -> &'b [u32] {
        // SAFETY: the bitmap lives; pointer and capacity of one slice.
        let count = unsafe { c::roaring_uint32_iterator_read(&mut self.raw, buffer.as_mut_ptr(), buffer.len() as u32) };
        &buffer[..count as usize]
    }

    pub fn read_ranges<'b>(&mut self, buffer: &'b mut [Range32]) -> &'b [Range32] {
        // SAFETY: the bitmap lives; pointer and capacity of one slice.
        let count = unsafe { c::roaring_uint32_iterator_read_ranges(&mut self.raw, buffer.as_mut_ptr(), buffer.len()) };
        &buffer[..count]
    }

    /// Goes on from the first value that is not below `value`.
    pub fn seek(&mut self, value: u32) {
        // SAFETY: the bitmap lives.
        unsafe { c::roaring_uint32_iterator_move_equalorlarger(&mut self.raw, value) };
    }
}

/// A `roaring64_bitmap_t`.
pub struct Bitmap64(*mut c::roaring64_bitmap_t);

impl Bitmap64 {
    /// Reads a bitmap of the portable format; `check` as for [`Bitmap32::read`].
    pub fn read(data: &[u8], check: bool) -> Option<Bitmap64> {
        // SAFETY: pointer and size of one slice; the safe variant stays within them.
        let raw = unsafe { c::roaring64_bitmap_portable_deserialize_safe(data.as_ptr().cast(), data.len()) };
        if raw.is_null() {
            return None;
        }
        let bitmap = Bitmap64(raw);
        let mut reason = std::ptr::null();
        // SAFETY: a live bitmap and an out pointer.
        (!check || unsafe { c::roaring64_bitmap_internal_validate(raw, &mut reason) }).then_some(bitmap)
    }

    /// The bitmap of these values, in any order; they are not negative.
    pub fn of(values: &[i64]) -> Bitmap64 {
        // SAFETY: pointer and count of one slice; i64 and u64 have one layout.
        Bitmap64(unsafe { c::roaring64_bitmap_of_ptr(values.len(), values.as_ptr().cast()) })
    }

    pub fn or(&mut self, other: &Bitmap64) {
        // SAFETY: two live bitmaps.
        unsafe { c::roaring64_bitmap_or_inplace(self.0, other.0) }
    }

    pub fn run_optimize(&mut self) {
        // SAFETY: a live bitmap.
        unsafe { c::roaring64_bitmap_run_optimize(self.0) };
    }

    pub fn cardinality(&self) -> usize {
        // SAFETY: a live bitmap.
        unsafe { c::roaring64_bitmap_get_cardinality(self.0) as usize }
    }

    /// The size of the portable form.
    pub fn size(&self) -> usize {
        // SAFETY: a live bitmap.
        unsafe { c::roaring64_bitmap_portable_size_in_bytes(self.0) }
    }

    /// Appends the portable form, which takes `size` bytes.
    pub fn write(&self, out: &mut Vec<u8>, size: usize) {
        out.reserve(size);
        // SAFETY: size bytes are reserved and all of them get written.
        unsafe {
            c::roaring64_bitmap_portable_serialize(self.0, out.as_mut_ptr().add(out.len()).cast());
            out.set_len(out.len() + size);
        }
    }

    /// Writes all values, ascending.
    pub fn to_array(&self, out: &mut [i64]) {
        assert!(out.len() >= self.cardinality());
        // SAFETY: there is room for all of them.
        unsafe { c::roaring64_bitmap_to_uint64_array(self.0, out.as_mut_ptr().cast()) }
    }

    /// Hands all values to `take`, a buffer at a time.
    pub fn read_values(&self, buffer: &mut [u64], mut take: impl FnMut(&[u64])) {
        self.with_iterator(|raw| {
            loop {
                // SAFETY: the iterator and its bitmap live; pointer and capacity of one slice.
                let count = unsafe { c::roaring64_iterator_read(raw, buffer.as_mut_ptr(), buffer.len() as u64) };
                take(&buffer[..count as usize]);
                if (count as usize) < buffer.len() {
                    return;
                }
            }
        });
    }

    /// Hands all runs to `take`, a buffer at a time.
    pub fn read_ranges(&self, buffer: &mut [Range64], mut take: impl FnMut(&[Range64])) {
        self.with_iterator(|raw| {
            loop {
                // SAFETY: the iterator and its bitmap live; pointer and capacity of one slice.
                let count = unsafe { c::roaring64_iterator_read_ranges(raw, buffer.as_mut_ptr(), buffer.len()) };
                take(&buffer[..count]);
                if count < buffer.len() {
                    return;
                }
            }
        });
    }

    fn with_iterator(&self, run: impl FnOnce(*mut c::roaring64_iterator_t)) {
        // SAFETY: a live bitmap; the iterator is freed before it.
        let raw = unsafe { c::roaring64_iterator_create(self.0) };
        run(raw);
        // SAFETY: created above, freed once.
        unsafe { c::roaring64_iterator_free(raw) };
    }
}

impl Drop for Bitmap64 {
    fn drop(&mut self) {
        // SAFETY: owned, freed once.
        unsafe { c::roaring64_bitmap_free(self.0) }
    }
}
