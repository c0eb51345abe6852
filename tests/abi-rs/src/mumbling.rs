//! Mumbling bitmaps.

use crate::symbols::{self, Handle, RawBytes};
use crate::{Bytes, Library, Result, Vector};

/// The Mumbling functions, resolved once: a bench must not look symbols up while it measures.
#[derive(Clone, Copy)]
pub struct Mumbling {
    library: &'static Library,
    symbols: symbols::Mumbling,
}

impl Mumbling {
    pub fn new(library: &'static Library) -> Result<Mumbling> {
        Ok(Mumbling {
            library,
            symbols: library.mumbling()?,
        })
    }

    /// `mumbling_from_dv`.
    pub fn encode(&self, vector: &Vector) -> Result<Bytes> {
        let mut raw = RawBytes::EMPTY;
        // SAFETY: a live handle and an out pointer.
        self.library
            .check(unsafe { (self.symbols.mumbling_from_dv)(vector.handle(), &mut raw) })?;
        Ok(Bytes::new(self.library, raw))
    }

    /// Reads a bitmap and fills the keep mask of its first `length` rows, through one handle.
    pub fn keep_mask(&self, data: &[u8], length: i32, out: &mut [u8]) -> Result<()> {
        let handle = self.read(data)?;
        // SAFETY: a live handle, pointer and size of one slice.
        let status = unsafe { (self.symbols.mumbling_keep_mask)(handle, 0, length, out.as_mut_ptr(), out.len()) };
        self.close(handle, status)
    }

    /// Reads a bitmap and fills `out` with its positions, through one handle.
    pub fn positions(&self, data: &[u8], out: &mut [i32]) -> Result<usize> {
        let handle = self.read(data)?;
        let mut count = 0;
        // SAFETY: a live handle, pointer and capacity of one slice.
        let status = unsafe { (self.symbols.mumbling_positions)(handle, out.as_mut_ptr(), out.len(), &mut count) };
        self.close(handle, status)?;
        Ok(count)
    }

    fn read(&self, data: &[u8]) -> Result<Handle> {
        let mut handle = std::ptr::null_mut();
        // SAFETY: pointer and size of one slice, and an out pointer.
        self.library
            .check(unsafe { (self.symbols.mumbling_read)(data.as_ptr(), data.len(), &mut handle) })?;
        Ok(handle)
    }

    fn close(&self, handle: Handle, status: symbols::Status) -> Result<()> {
        let result = self.library.check(status);
        // SAFETY: made by the library and freed once.
        unsafe { (self.symbols.mumbling_free)(handle) };
        result
    }
}
