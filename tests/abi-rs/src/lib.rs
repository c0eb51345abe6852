//! The C ABI of libdv (`include/dv.h`), loaded at run time.
//!
//! The benches and the interoperability tests go through exactly what a C host sees: the exported
//! symbols of the shared object. [`Library`] finds it, the tables in [`symbols`] follow the sections of
//! the header, and the owners ([`Vector`], [`Bytes`], ...) free what they hold.

mod blob;
mod bytes;
mod delta;
mod library;
mod mumbling;
mod puffin;
pub mod symbols;
mod vector;

pub use bytes::Bytes;
pub use delta::{DeltaWriter, Descriptors, read_delta, read_descriptor};
pub use library::{Error, Library, Result};
pub use mumbling::Mumbling;
pub use puffin::{Puffin, PuffinWriter};
pub use vector::{Sink, Source, UNKNOWN, Vector};
