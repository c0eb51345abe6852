//! What libdv writes, delta_kernel reads.

use delta_kernel::actions::deletion_vector::{DeletionVectorDescriptor, DeletionVectorStorageType};
use libdv_abi::symbols::DeltaResult;
use libdv_abi::{DeltaWriter, Descriptors, Library, Sink, Vector};
use libdv_interop::{Shape, Table, shapes};
use url::Url;

const FILE: &str = "deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin";

fn library() -> &'static Library {
    Library::open().expect("the library loads")
}

/// Writes all shapes, and an empty vector between them, into one file of the table.
fn write(table: &Table, file: &str, shapes: &[Shape]) -> Vec<DeltaResult> {
    let sink = Sink::path(library(), &table.path(file)).expect("dv_sink_path");
    let mut writer = DeltaWriter::new(&sink).expect("dv_delta_writer_new");
    let write = |shape: &Shape| {
        let vector = Vector::of(library(), &shape.positions).expect("dv_set_many");
        let result = writer
            .write(&vector)
            .unwrap_or_else(|error| panic!("{}: {error}", shape.name));
        assert_eq!(result.cardinality, shape.positions.len() as i64, "{}", shape.name);
        result
    };
    let results = shapes.iter().map(write).collect();
    writer.finalize().expect("dv_delta_writer_finalize");
    results
}

fn parse(json: &str) -> DeletionVectorDescriptor {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("delta_kernel refuses the descriptor {json}: {error}"))
}

/// "u" descriptors, with and without a prefix: delta_kernel parses libdv's JSON, resolves the same path and
/// the same unique id, and reads the same positions.
#[test]
fn relative_files() {
    for file in [FILE.to_owned(), format!("ab/{FILE}")] {
        let (table, shapes) = (Table::new(), shapes());
        let results = write(&table, &file, &shapes);
        let descriptors = Descriptors::new(library()).expect("the Delta functions");
        for (shape, result) in shapes.iter().zip(&results) {
            let json = descriptors.file(&file, result).expect("dv_delta_descriptor_new");
            let descriptor = parse(json.text());
            assert_eq!(descriptor.storage_type, DeletionVectorStorageType::PersistedRelative);

            let url = descriptor
                .absolute_path(&table.url())
                .expect("delta_kernel resolves it")
                .expect("a file");
            let path = descriptors.path(json.text()).expect("dv_delta_descriptor_path");
            assert_eq!(
                url,
                table.url().join(path.text()).expect("a relative path"),
                "{}",
                shape.name
            );
            let id = descriptors
                .unique_id(json.text())
                .expect("dv_delta_descriptor_unique_id");
            assert_eq!(unique_id(&descriptor), id.text(), "{}", shape.name);

            let found = table.kernel_positions(&descriptor);
            assert!(
                found.as_ref() == Ok(&shape.positions),
                "{}: {}",
                shape.name,
                summary(&found)
            );
        }
    }
}

/// "p" descriptors: the same file by URL.
#[test]
fn absolute_files() {
    let (table, shapes) = (Table::new(), shapes());
    let results = write(&table, FILE, &shapes);
    let url = Url::from_file_path(table.path(FILE)).expect("an absolute path");
    let elsewhere = Table::new();
    for (shape, result) in shapes.iter().zip(&results) {
        let descriptor = DeletionVectorDescriptor::try_new(
            DeletionVectorStorageType::PersistedAbsolute,
            url.as_str(),
            Some(result.offset),
            result.size_in_bytes,
            result.cardinality,
        )
        .expect("a valid descriptor");
        let found = elsewhere.kernel_positions(&descriptor);
        assert!(
            found.as_ref() == Ok(&shape.positions),
            "{}: {}",
            shape.name,
            summary(&found)
        );
    }
}

/// "i" descriptors: the vector in the JSON itself. Those of very large vectors are of no use, but right.
#[test]
fn inline() {
    let table = Table::new();
    let descriptors = Descriptors::new(library()).expect("the Delta functions");
    for shape in shapes() {
        let vector = Vector::of(library(), &shape.positions).expect("dv_set_many");
        let json = descriptors.inline(&vector).expect("dv_delta_descriptor_inline");
        let descriptor = parse(json.text());
        assert_eq!(descriptor.storage_type, DeletionVectorStorageType::Inline);
        assert_eq!(descriptor.cardinality, shape.positions.len() as i64, "{}", shape.name);
        let id = descriptors
            .unique_id(json.text())
            .expect("dv_delta_descriptor_unique_id");
        assert_eq!(unique_id(&descriptor), id.text(), "{}", shape.name);

        let found = table.kernel_positions(&descriptor);
        assert!(
            found.as_ref() == Ok(&shape.positions),
            "{}: {}",
            shape.name,
            summary(&found)
        );
    }
}

/// An empty vector between others is read as empty, from a file and inline, and moves nothing behind it.
#[test]
fn empty_vectors() {
    let table = Table::new();
    let shapes = [&[1, 2][..], &[], &[3]].map(|positions| Shape {
        name: "around an empty vector",
        positions: positions.to_vec(),
        has_runs: false,
    });
    let results = write(&table, FILE, &shapes);
    let descriptors = Descriptors::new(library()).expect("the Delta functions");
    for (shape, result) in shapes.iter().zip(&results) {
        let descriptor = parse(descriptors.file(FILE, result).expect("dv_delta_descriptor_new").text());
        assert_eq!(table.kernel_positions(&descriptor).as_ref(), Ok(&shape.positions));
    }
    let empty = Vector::new(library()).expect("dv_new");
    let descriptor = parse(descriptors.inline(&empty).expect("dv_delta_descriptor_inline").text());
    assert_eq!(table.kernel_positions(&descriptor), Ok(vec![]));
}

/// The protocol's unique id. delta_kernel prefers a form that asks a table's snapshot, and there is no table here.
#[allow(deprecated)]
fn unique_id(descriptor: &DeletionVectorDescriptor) -> String {
    descriptor.unique_id()
}

/// A message that does not print a million positions.
fn summary(found: &Result<Vec<i64>, String>) -> String {
    match found {
        Ok(found) => format!("delta_kernel found other positions, {} of them", found.len()),
        Err(error) => error.clone(),
    }
}
