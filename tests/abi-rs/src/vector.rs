//! Owners of vectors, sources and sinks.

use std::ffi::CString;
use std::path::Path;

use crate::symbols::{Handle, RawBytes};
use crate::{Bytes, Error, Library, Result};

/// `DV_UNKNOWN`: no expectation.
pub const UNKNOWN: i64 = -1;

const NULL: Handle = std::ptr::null_mut();

/// A `dv_t`.
pub struct Vector {
    library: &'static Library,
    handle: Handle,
}

// SAFETY: the contract lets any thread use a handle; changing calls take `&mut self` here all the same.
unsafe impl Send for Vector {}
unsafe impl Sync for Vector {}

impl Vector {
    /// Takes a handle that a successful call made.
    pub(crate) fn own(library: &'static Library, handle: Handle) -> Vector {
        Vector { library, handle }
    }

    pub fn new(library: &'static Library) -> Result<Vector> {
        let mut handle = NULL;
        // SAFETY: an out pointer.
        library.check(unsafe { (library.core.dv_new)(&mut handle) })?;
        Ok(Vector::own(library, handle))
    }

    /// A vector with these positions.
    pub fn of(library: &'static Library, positions: &[i64]) -> Result<Vector> {
        let mut vector = Vector::new(library)?;
        vector.set_many(positions)?;
        Ok(vector)
    }

    /// `dv_deserialize`: an Iceberg blob, copied.
    pub fn deserialize(library: &'static Library, blob: &[u8], cardinality: i64) -> Result<Vector> {
        let mut handle = NULL;
        // SAFETY: pointer and size of one slice.
        let status = unsafe { (library.core.dv_deserialize)(blob.as_ptr(), blob.len(), cardinality, &mut handle) };
        library.check(status)?;
        Ok(Vector::own(library, handle))
    }

    /// `dv_view`: an Iceberg blob, borrowed.
    ///
    /// # Safety
    /// `blob` must stay as it is until the vector is dropped; the type does not tie the two lifetimes together.
    pub unsafe fn view(library: &'static Library, blob: &[u8], cardinality: i64) -> Result<Vector> {
        let mut handle = NULL;
        // SAFETY: pointer and size of one slice, which outlives the vector as promised.
        library.check(unsafe { (library.core.dv_view)(blob.as_ptr(), blob.len(), cardinality, &mut handle) })?;
        Ok(Vector::own(library, handle))
    }

    pub fn copy(&self) -> Result<Vector> {
        let mut handle = NULL;
        // SAFETY: a live handle.
        self.library
            .check(unsafe { (self.library.core.dv_copy)(self.handle, &mut handle) })?;
        Ok(Vector::own(self.library, handle))
    }

    pub fn handle(&self) -> Handle {
        self.handle
    }

    pub fn set_many(&mut self, positions: &[i64]) -> Result<()> {
        // SAFETY: a live handle, pointer and count of one slice.
        let status = unsafe { (self.library.core.dv_set_many)(self.handle, positions.as_ptr(), positions.len()) };
        self.library.check(status)
    }

    pub fn set_range(&mut self, start: i64, end: i64) -> Result<()> {
        // SAFETY: a live handle.
        self.library
            .check(unsafe { (self.library.core.dv_set_range)(self.handle, start, end) })
    }

    pub fn or(&mut self, other: &Vector) -> Result<()> {
        // SAFETY: two live handles.
        self.library
            .check(unsafe { (self.library.core.dv_or)(self.handle, other.handle) })
    }

    pub fn cardinality(&self) -> Result<i64> {
        let mut cardinality = 0;
        // SAFETY: a live handle and an out pointer.
        self.library
            .check(unsafe { (self.library.core.dv_cardinality)(self.handle, &mut cardinality) })?;
        Ok(cardinality)
    }

    /// Fills `out` with the positions in ascending order, as far as it reaches, and tells how many it wrote.
    pub fn positions_into(&self, out: &mut [i64]) -> Result<usize> {
        let mut count = 0;
        // SAFETY: a live handle, pointer and capacity of one slice.
        let status = unsafe {
            (self.library.core.dv_positions)(self.handle, 0, i64::MAX, out.as_mut_ptr(), out.len(), &mut count)
        };
        self.library.check(status)?;
        Ok(count)
    }

    /// All positions.
    pub fn positions(&self) -> Result<Vec<i64>> {
        let mut out = vec![0; self.cardinality()? as usize];
        let count = self.positions_into(&mut out)?;
        assert_eq!(count, out.len(), "dv_positions and dv_cardinality disagree");
        Ok(out)
    }

    /// The keep mask of rows `[start, start + length)`, into the first bytes of `out`.
    pub fn keep_mask(&self, start: i64, length: i64, out: &mut [u8]) -> Result<()> {
        // SAFETY: a live handle, pointer and size of one slice.
        let status =
            unsafe { (self.library.core.dv_keep_mask)(self.handle, start, length, out.as_mut_ptr(), out.len()) };
        self.library.check(status)
    }

    /// The Iceberg blob.
    pub fn serialize(&self) -> Result<Bytes> {
        let mut raw = RawBytes::EMPTY;
        // SAFETY: a live handle and an out pointer.
        self.library
            .check(unsafe { (self.library.core.dv_serialize)(self.handle, &mut raw) })?;
        Ok(Bytes::new(self.library, raw))
    }
}

impl Drop for Vector {
    fn drop(&mut self) {
        // SAFETY: made by the library and freed once.
        unsafe { (self.library.core.dv_free)(self.handle) }
    }
}

/// A `dv_source_t`.
pub struct Source {
    pub(crate) library: &'static Library,
    pub(crate) handle: Handle,
}

impl Source {
    /// # Safety
    /// `data` must stay as it is until the source is dropped.
    pub unsafe fn memory(library: &'static Library, data: &[u8]) -> Result<Source> {
        let mut handle = NULL;
        // SAFETY: pointer and size of one slice, which outlives the source as promised.
        library.check(unsafe { (library.core.dv_source_memory)(data.as_ptr(), data.len(), &mut handle) })?;
        Ok(Source { library, handle })
    }

    pub fn path(library: &'static Library, path: &Path) -> Result<Source> {
        let path = c_string(&path.to_string_lossy())?;
        let mut handle = NULL;
        // SAFETY: a C string and an out pointer.
        library.check(unsafe { (library.core.dv_source_path)(path.as_ptr(), &mut handle) })?;
        Ok(Source { library, handle })
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        // SAFETY: made by the library and freed once.
        unsafe { (self.library.core.dv_source_free)(self.handle) }
    }
}

/// A `dv_sink_t`.
pub struct Sink {
    pub(crate) library: &'static Library,
    pub(crate) handle: Handle,
}

impl Sink {
    pub fn memory(library: &'static Library) -> Result<Sink> {
        let mut handle = NULL;
        // SAFETY: an out pointer.
        library.check(unsafe { (library.core.dv_sink_memory)(&mut handle) })?;
        Ok(Sink { library, handle })
    }

    pub fn path(library: &'static Library, path: &Path) -> Result<Sink> {
        let path = c_string(&path.to_string_lossy())?;
        let mut handle = NULL;
        // SAFETY: a C string and an out pointer.
        library.check(unsafe { (library.core.dv_sink_path)(path.as_ptr(), &mut handle) })?;
        Ok(Sink { library, handle })
    }

    /// What was committed to a memory sink.
    pub fn take(&self) -> Result<Bytes> {
        let mut raw = RawBytes::EMPTY;
        // SAFETY: a live handle and an out pointer.
        self.library
            .check(unsafe { (self.library.core.dv_sink_take)(self.handle, &mut raw) })?;
        Ok(Bytes::new(self.library, raw))
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        // SAFETY: made by the library and freed once.
        unsafe { (self.library.core.dv_sink_free)(self.handle) }
    }
}

pub(crate) fn c_string(text: &str) -> Result<CString> {
    CString::new(text).map_err(|cause| Error {
        status: -1,
        text: cause.to_string(),
    })
}
