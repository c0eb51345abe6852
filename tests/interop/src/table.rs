//! A table directory that goes when its test ends.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use delta_kernel::actions::deletion_vector::DeletionVectorDescriptor;
use url::Url;

use crate::LocalFiles;

pub struct Table {
    root: PathBuf,
}

impl Table {
    pub fn new() -> Table {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "libdv-interop-{}-{}",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        let root = std::env::temp_dir().join(name);
        std::fs::create_dir_all(root.join("ab")).expect("a temporary directory");
        Table { root }
    }

    pub fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.root.join(relative)
    }

    pub fn url(&self) -> Url {
        Url::from_directory_path(&self.root).expect("an absolute path")
    }

    /// What delta_kernel finds where the descriptor points.
    pub fn kernel_positions(&self, descriptor: &DeletionVectorDescriptor) -> Result<Vec<i64>, String> {
        let rows = descriptor
            .row_indexes(Arc::new(LocalFiles), &self.url())
            .map_err(|error| error.to_string())?;
        Ok(rows
            .into_iter()
            .map(|row| i64::try_from(row).expect("a position fits int64"))
            .collect())
    }
}

impl Default for Table {
    fn default() -> Table {
        Table::new()
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.root);
    }
}
