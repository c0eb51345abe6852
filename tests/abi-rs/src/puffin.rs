//! Puffin files: the writer and the reader.

use crate::symbols::{self, Handle, RawBytes};
use crate::vector::c_string;
use crate::{Bytes, Library, Result, Sink, Source, Vector};

const NULL: Handle = std::ptr::null_mut();

/// A `dv_writer_t` for an unpartitioned table.
pub struct PuffinWriter {
    library: &'static Library,
    symbols: symbols::Puffin,
    handle: Handle,
}

impl PuffinWriter {
    pub fn new(library: &'static Library) -> Result<PuffinWriter> {
        let symbols = library.puffin()?;
        let mut handle = NULL;
        // SAFETY: no partition specs, an out pointer.
        library.check(unsafe { (symbols.dv_writer_new)(std::ptr::null(), &mut handle) })?;
        Ok(PuffinWriter {
            library,
            symbols,
            handle,
        })
    }

    pub fn add(&mut self, data_file: &str, positions: &[i64]) -> Result<()> {
        let data_file = c_string(data_file)?;
        // SAFETY: a live handle, a C string, pointer and count of one slice.
        let status = unsafe {
            (self.symbols.dv_writer_add)(
                self.handle,
                data_file.as_ptr(),
                positions.as_ptr(),
                positions.len(),
                0,
                std::ptr::null(),
            )
        };
        self.library.check(status)
    }

    /// Writes the file into memory and returns its bytes.
    pub fn flush(&mut self, location: &str) -> Result<Bytes> {
        let location = c_string(location)?;
        let sink = Sink::memory(self.library)?;
        let mut entries = RawBytes::EMPTY;
        // SAFETY: live handles, a C string and an out pointer.
        let status =
            unsafe { (self.symbols.dv_writer_flush)(self.handle, sink.handle, location.as_ptr(), &mut entries) };
        self.library.check(status)?;
        drop(Bytes::new(self.library, entries));
        sink.take()
    }
}

impl Drop for PuffinWriter {
    fn drop(&mut self) {
        // SAFETY: made by the library and freed once.
        unsafe { (self.symbols.dv_writer_free)(self.handle) }
    }
}

/// A `dv_puffin_t` over a source.
pub struct Puffin<'source> {
    library: &'static Library,
    symbols: symbols::Puffin,
    handle: Handle,
    _source: &'source Source,
}

impl<'source> Puffin<'source> {
    pub fn open(source: &'source Source) -> Result<Puffin<'source>> {
        let library = source.library;
        let symbols = library.puffin()?;
        let mut handle = NULL;
        // SAFETY: a live handle and an out pointer.
        library.check(unsafe { (symbols.dv_puffin_open)(source.handle, &mut handle) })?;
        Ok(Puffin {
            library,
            symbols,
            handle,
            _source: source,
        })
    }

    pub fn count(&self) -> Result<usize> {
        let mut count = 0;
        // SAFETY: a live handle and an out pointer.
        self.library
            .check(unsafe { (self.symbols.dv_puffin_count)(self.handle, &mut count) })?;
        Ok(count)
    }

    pub fn read(&self, index: usize) -> Result<Vector> {
        let mut handle = NULL;
        // SAFETY: a live handle and an out pointer.
        self.library
            .check(unsafe { (self.symbols.dv_puffin_read)(self.handle, index, &mut handle) })?;
        Ok(Vector::own(self.library, handle))
    }

    /// `dv_puffin_keep_masks`: mask i is of blob `indices[i]`, its rows 0 to `lengths[i] - 1`, and takes a
    /// multiple of 64 bytes of `out`.
    pub fn keep_masks(&self, indices: &[usize], lengths: &[i64], out: &mut [u8]) -> Result<()> {
        assert_eq!(indices.len(), lengths.len());
        // SAFETY: a live handle, pointers and the count of two slices, pointer and size of a third.
        let status = unsafe {
            (self.symbols.dv_puffin_keep_masks)(
                self.handle,
                indices.as_ptr(),
                lengths.as_ptr(),
                lengths.len(),
                out.as_mut_ptr(),
                out.len(),
            )
        };
        self.library.check(status)
    }
}

impl Drop for Puffin<'_> {
    fn drop(&mut self) {
        // SAFETY: made by the library and freed once.
        unsafe { (self.symbols.dv_puffin_free)(self.handle) }
    }
}
