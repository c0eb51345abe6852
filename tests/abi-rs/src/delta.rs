//! Delta files and descriptors.

use crate::symbols::{self, DeltaResult, Handle, RawBytes};
use crate::vector::c_string;
use crate::{Bytes, Library, Result, Sink, Source, Vector};

const NULL: Handle = std::ptr::null_mut();

/// A `dv_delta_writer_t` over a sink.
pub struct DeltaWriter<'sink> {
    library: &'static Library,
    symbols: symbols::Delta,
    handle: Handle,
    _sink: &'sink Sink,
}

impl<'sink> DeltaWriter<'sink> {
    pub fn new(sink: &'sink Sink) -> Result<DeltaWriter<'sink>> {
        let library = sink.library;
        let symbols = library.delta()?;
        let mut handle = NULL;
        // SAFETY: a live handle and an out pointer.
        library.check(unsafe { (symbols.dv_delta_writer_new)(sink.handle, &mut handle) })?;
        Ok(DeltaWriter {
            library,
            symbols,
            handle,
            _sink: sink,
        })
    }

    pub fn write(&mut self, vector: &Vector) -> Result<DeltaResult> {
        let mut result = DeltaResult::default();
        // SAFETY: live handles and an out pointer.
        let status = unsafe { (self.symbols.dv_delta_writer_write)(self.handle, vector.handle(), &mut result) };
        self.library.check(status)?;
        Ok(result)
    }

    pub fn finalize(self) -> Result<()> {
        // SAFETY: a live handle.
        self.library
            .check(unsafe { (self.symbols.dv_delta_writer_finalize)(self.handle) })
    }
}

impl Drop for DeltaWriter<'_> {
    fn drop(&mut self) {
        // SAFETY: made by the library and freed once.
        unsafe { (self.symbols.dv_delta_writer_free)(self.handle) }
    }
}

/// The descriptor functions that make or resolve JSON.
pub struct Descriptors {
    library: &'static Library,
    symbols: symbols::Delta,
}

impl Descriptors {
    pub fn new(library: &'static Library) -> Result<Descriptors> {
        Ok(Descriptors {
            library,
            symbols: library.delta()?,
        })
    }

    /// A "u" descriptor of a vector in `relative_path`.
    pub fn file(&self, relative_path: &str, result: &DeltaResult) -> Result<Bytes> {
        let path = c_string(relative_path)?;
        let mut raw = RawBytes::EMPTY;
        // SAFETY: a C string, a struct of the header, an out pointer.
        self.library
            .check(unsafe { (self.symbols.dv_delta_descriptor_new)(path.as_ptr(), result, &mut raw) })?;
        Ok(Bytes::new(self.library, raw))
    }

    /// An "i" descriptor that holds the vector.
    pub fn inline(&self, vector: &Vector) -> Result<Bytes> {
        let mut raw = RawBytes::EMPTY;
        // SAFETY: a live handle and an out pointer.
        self.library
            .check(unsafe { (self.symbols.dv_delta_descriptor_inline)(vector.handle(), &mut raw) })?;
        Ok(Bytes::new(self.library, raw))
    }

    /// Where the descriptor's file is; "" for an inline one.
    pub fn path(&self, json: &str) -> Result<Bytes> {
        let json = c_string(json)?;
        let mut raw = RawBytes::EMPTY;
        // SAFETY: a C string and an out pointer.
        self.library
            .check(unsafe { (self.symbols.dv_delta_descriptor_path)(json.as_ptr(), &mut raw) })?;
        Ok(Bytes::new(self.library, raw))
    }

    pub fn unique_id(&self, json: &str) -> Result<Bytes> {
        let json = c_string(json)?;
        let mut raw = RawBytes::EMPTY;
        // SAFETY: a C string and an out pointer.
        self.library
            .check(unsafe { (self.symbols.dv_delta_descriptor_unique_id)(json.as_ptr(), &mut raw) })?;
        Ok(Bytes::new(self.library, raw))
    }
}

/// Reads what a descriptor points at; `source` is its file, or `None` for an inline one.
pub fn read_descriptor(library: &'static Library, source: Option<&Source>, json: &str) -> Result<Vector> {
    let symbols = library.delta()?;
    let json = c_string(json)?;
    let source = source.map_or(NULL, |source| source.handle);
    let mut handle = NULL;
    // SAFETY: a live handle or NULL, a C string and an out pointer.
    library.check(unsafe { (symbols.dv_delta_descriptor_read)(source, json.as_ptr(), &mut handle) })?;
    Ok(Vector::own(library, handle))
}

/// Reads a vector where a descriptor says it is; every number is checked.
pub fn read_delta(library: &'static Library, source: &Source, place: &DeltaResult) -> Result<Vector> {
    let symbols = library.delta()?;
    let mut handle = NULL;
    // SAFETY: a live handle and an out pointer.
    let status = unsafe {
        (symbols.dv_delta_read)(
            source.handle,
            place.offset,
            place.size_in_bytes,
            place.cardinality,
            &mut handle,
        )
    };
    library.check(status)?;
    Ok(Vector::own(library, handle))
}
