//! Straight from a blob to what a scan needs, and from positions to a blob, without a handle.

use crate::symbols::RawBytes;
use crate::{Bytes, Library, Result};

impl Library {
    /// `dv_blob_keep_mask`.
    #[inline]
    pub fn blob_keep_mask(&self, blob: &[u8], cardinality: i64, start: i64, length: i64, out: &mut [u8]) -> Result<()> {
        // SAFETY: pointer and size of two slices.
        let status = unsafe {
            (self.core.dv_blob_keep_mask)(
                blob.as_ptr(),
                blob.len(),
                cardinality,
                start,
                length,
                out.as_mut_ptr(),
                out.len(),
            )
        };
        self.check(status)
    }

    /// `dv_blob_positions`: tells how many positions it wrote.
    #[inline]
    pub fn blob_positions(&self, blob: &[u8], cardinality: i64, out: &mut [i64]) -> Result<usize> {
        let mut count = 0;
        // SAFETY: pointer and size of two slices, and an out pointer.
        let status = unsafe {
            (self.core.dv_blob_positions)(
                blob.as_ptr(),
                blob.len(),
                cardinality,
                out.as_mut_ptr(),
                out.len(),
                &mut count,
            )
        };
        self.check(status)?;
        Ok(count)
    }

    /// `dv_blob_from_positions`: positions in any order and repeated at will.
    #[inline]
    pub fn blob_from_positions(&'static self, positions: &[i64]) -> Result<Bytes> {
        let mut blob = RawBytes::EMPTY;
        // SAFETY: pointer and count of one slice, and an out pointer.
        let status = unsafe { (self.core.dv_blob_from_positions)(positions.as_ptr(), positions.len(), &mut blob) };
        self.check(status)?;
        Ok(Bytes::new(self, blob))
    }
}
