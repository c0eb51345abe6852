//! The tasks, each in a file of its own.

pub mod alternate;
pub mod costs;
pub mod encode;
pub mod mask;
pub mod merge;
pub mod mumbling;
pub mod outputs;
pub mod positions;
pub mod puffin;
pub mod small;
