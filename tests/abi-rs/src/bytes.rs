//! Owner of a `dv_bytes`.

use std::ops::Deref;

use crate::Library;
use crate::symbols::RawBytes;

/// Bytes that the library allocated; dropping them gives them back.
pub struct Bytes {
    library: &'static Library,
    raw: RawBytes,
}

// SAFETY: plain heap memory with one owner.
unsafe impl Send for Bytes {}

impl Bytes {
    pub(crate) fn new(library: &'static Library, raw: RawBytes) -> Bytes {
        Bytes { library, raw }
    }

    /// The bytes as text; those that the library calls JSON or a path are UTF-8.
    pub fn text(&self) -> &str {
        std::str::from_utf8(self).expect("the library's text is UTF-8")
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        if self.raw.data.is_null() {
            return &[];
        }
        // SAFETY: data holds size bytes until it is freed.
        unsafe { std::slice::from_raw_parts(self.raw.data, self.raw.size) }
    }
}

impl Drop for Bytes {
    fn drop(&mut self) {
        // SAFETY: filled by a successful call and freed once.
        unsafe { (self.library.core.dv_bytes_free)(&mut self.raw) }
    }
}
