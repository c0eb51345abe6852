//! What both directions of the test need: sets of positions of every shape, a table directory, and the
//! storage that delta_kernel reads it through.

mod shapes;
mod storage;
mod table;

pub use shapes::{Shape, shapes};
pub use storage::LocalFiles;
pub use table::Table;
