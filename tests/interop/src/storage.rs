//! Local files as delta_kernel's storage: the one call that reading a deletion vector makes.

use bytes::Bytes;
use delta_kernel::{FileMeta, FileSlice, KernelError, KernelResult, KernelResultIteratorStatic, StorageHandler};
use url::Url;

/// Reads `file:` URLs; everything else that a table would need is refused.
pub struct LocalFiles;

impl StorageHandler for LocalFiles {
    fn read_files(&self, files: Vec<FileSlice>) -> KernelResult<KernelResultIteratorStatic<Bytes>> {
        let read = |(url, range): FileSlice| {
            let path = url
                .to_file_path()
                .map_err(|()| KernelError::generic(format!("{url} is no local file")))?;
            let data = Bytes::from(std::fs::read(path)?);
            Ok(match range {
                Some(range) => data.slice(range.start as usize..range.end as usize),
                None => data,
            })
        };
        Ok(Box::new(files.into_iter().map(read)))
    }

    fn list_from(&self, path: &Url) -> KernelResult<KernelResultIteratorStatic<FileMeta>> {
        Err(refused("list", path))
    }

    fn copy_atomic(&self, src: &Url, _dest: &Url) -> KernelResult<()> {
        Err(refused("copy", src))
    }

    fn put(&self, path: &Url, _data: Bytes, _overwrite: bool) -> KernelResult<()> {
        Err(refused("write", path))
    }

    fn head(&self, path: &Url) -> KernelResult<FileMeta> {
        Err(refused("stat", path))
    }

    fn delete(&self, path: &Url) -> KernelResult<()> {
        Err(refused("delete", path))
    }
}

fn refused(what: &str, url: &Url) -> KernelError {
    KernelError::generic(format!("reading a deletion vector does not {what} {url}"))
}
