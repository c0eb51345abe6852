//! What delta_kernel writes, libdv reads.

use delta_kernel::actions::deletion_vector_writer::{
    DeletionVectorWriteResult, KernelDeletionVector, StreamingDeletionVectorWriter,
};
use libdv_abi::symbols::DeltaResult;
use libdv_abi::{DeltaWriter, Descriptors, Library, Sink, Source, Vector, read_delta, read_descriptor};
use libdv_interop::{Shape, Table, shapes};

const FILE: &str = "deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin";

fn library() -> &'static Library {
    Library::open().expect("the library loads")
}

/// One file of all shapes, written by delta_kernel, with where each is.
fn write(shapes: &[Shape]) -> (Vec<u8>, Vec<DeltaResult>) {
    let mut file = Vec::new();
    let mut writer = StreamingDeletionVectorWriter::new(&mut file);
    let write = |shape: &Shape| {
        let mut vector = KernelDeletionVector::new();
        vector.add_deleted_row_indexes(shape.positions.iter().map(|&position| position as u64));
        place(&writer.write_deletion_vector(vector).expect("delta_kernel writes it"))
    };
    let places = shapes.iter().map(write).collect();
    writer.finalize().expect("delta_kernel ends the file");
    (file, places)
}

fn place(result: &DeletionVectorWriteResult) -> DeltaResult {
    DeltaResult {
        cardinality: result.cardinality,
        offset: result.offset,
        size_in_bytes: result.size_in_bytes,
    }
}

/// By offset, size and cardinality, and by descriptor.
#[test]
fn files() {
    let (table, shapes) = (Table::new(), shapes());
    let (file, places) = write(&shapes);
    std::fs::write(table.path(FILE), file).expect("the file is written");
    let source = Source::path(library(), &table.path(FILE)).expect("dv_source_path");
    let descriptors = Descriptors::new(library()).expect("the Delta functions");
    for (shape, place) in shapes.iter().zip(&places) {
        let json = descriptors.file(FILE, place).expect("dv_delta_descriptor_new");
        for vector in [
            read_delta(library(), &source, place),
            read_descriptor(library(), Some(&source), json.text()),
        ] {
            let found = vector.and_then(|vector| vector.positions());
            let found = found.unwrap_or_else(|error| panic!("{}: {error}", shape.name));
            assert!(
                found == shape.positions,
                "{}: libdv found {} other positions",
                shape.name,
                found.len()
            );
        }
    }
}

/// Where the encoder's rule asks for no run, both write the same bytes.
#[test]
fn same_bytes() {
    let shapes: Vec<Shape> = shapes().into_iter().filter(|shape| !shape.has_runs).collect();
    let (theirs, places) = write(&shapes);
    let sink = Sink::memory(library()).expect("dv_sink_memory");
    let mut writer = DeltaWriter::new(&sink).expect("dv_delta_writer_new");
    for (shape, place) in shapes.iter().zip(&places) {
        let vector = Vector::of(library(), &shape.positions).expect("dv_set_many");
        assert_eq!(writer.write(&vector).as_ref(), Ok(place), "{}", shape.name);
    }
    writer.finalize().expect("dv_delta_writer_finalize");
    let ours = sink.take().expect("dv_sink_take");
    assert!(
        *ours == *theirs,
        "{} bytes of libdv differ from {} of delta_kernel",
        ours.len(),
        theirs.len()
    );
}
