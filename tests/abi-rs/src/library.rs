//! Finding and loading the shared object, and turning its statuses into errors.

use std::ffi::{CStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};

use crate::symbols::{Core, Delta, Mumbling, Puffin, Status};

/// A failed call: its status, that status' name and the library's text for this thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    pub status: Status,
    pub text: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (status {})", self.text, self.status)
    }
}

impl std::error::Error for Error {}

pub type Result<T> = std::result::Result<T, Error>;

/// The loaded library. It is never unloaded: a Go runtime cannot be, and `&'static` keeps the owners plain.
pub struct Library {
    pub core: Core,
    path: PathBuf,
    object: libloading::Library,
}

impl Library {
    /// Loads `LIBDV_LIBRARY`, or `build/libdv.so` of this source tree.
    pub fn open() -> Result<&'static Library> {
        Library::open_at(&Library::default_path())
    }

    /// The file that [`Library::open`] loads.
    pub fn default_path() -> PathBuf {
        let built = || OsString::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../build/libdv.so"));
        PathBuf::from(std::env::var_os("LIBDV_LIBRARY").unwrap_or_else(built))
    }

    /// Loads the library at `path` and checks its ABI version.
    pub fn open_at(path: &Path) -> Result<&'static Library> {
        // SAFETY: loading runs the Go runtime's start-up code; the caller chose the file.
        let object = unsafe { libloading::Library::new(path) }.map_err(loading)?;
        let core = Core::load(&object).map_err(loading)?;
        // SAFETY: a symbol of the header, with its type.
        let version = unsafe { (core.dv_abi_version)() };
        if version != 1 {
            return Err(Error {
                status: -1,
                text: format!("{}: ABI version {version}, expected 1", path.display()),
            });
        }
        Ok(Box::leak(Box::new(Library {
            core,
            path: path.to_owned(),
            object,
        })))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The library's version text.
    pub fn version(&self) -> String {
        // SAFETY: a static C string.
        unsafe { CStr::from_ptr((self.core.dv_version)()) }
            .to_string_lossy()
            .into_owned()
    }

    /// Handles made and not yet freed: 0 at the end of a program without leaks.
    pub fn live_handles(&self) -> i64 {
        // SAFETY: takes nothing.
        unsafe { (self.core.dv_live_handles)() }
    }

    pub(crate) fn puffin(&self) -> Result<Puffin> {
        Puffin::load(&self.object).map_err(loading)
    }

    pub(crate) fn delta(&self) -> Result<Delta> {
        Delta::load(&self.object).map_err(loading)
    }

    pub(crate) fn mumbling(&self) -> Result<Mumbling> {
        Mumbling::load(&self.object).map_err(loading)
    }

    /// `Ok` for `DV_OK`, else the status with this thread's error text, which is read at once.
    #[inline]
    pub fn check(&self, status: Status) -> Result<()> {
        if status == 0 { Ok(()) } else { Err(self.failure(status)) }
    }

    #[cold]
    fn failure(&self, status: Status) -> Error {
        // SAFETY: both return C strings that live until this thread's next failing call, or for ever.
        let (name, text) = unsafe {
            (
                CStr::from_ptr((self.core.dv_status_name)(status)),
                CStr::from_ptr((self.core.dv_last_error)()),
            )
        };
        Error {
            status,
            text: format!("{}: {}", name.to_string_lossy(), text.to_string_lossy()),
        }
    }
}

fn loading(cause: libloading::Error) -> Error {
    Error {
        status: -1,
        text: cause.to_string(),
    }
}
