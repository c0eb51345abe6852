//! libdv through its C ABI against the peers, in one process: see `--help` and `bench/README.md`.

mod data;
mod machine;
mod measure;
mod options;
mod peers;
mod report;
mod tasks;

use libdv_abi::Library;
use serde_json::json;

use data::{Case, SHAPES};
use measure::Measured;
use options::{Options, USAGE};
use report::{Cell, Table};
use tasks::{alternate, costs, encode, mask, merge, mumbling, positions, puffin, small};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments
        .iter()
        .any(|argument| argument == "--help" || argument == "-h")
    {
        println!("{USAGE}");
        return;
    }
    if arguments == [costs::PROBE] {
        return costs::probe_load();
    }
    let options = Options::parse(arguments.into_iter()).unwrap_or_else(|fault| stop(&fault));
    let library = Library::open().unwrap_or_else(|error| stop(&error.to_string()));
    println!("libdv {} ({})", library.version(), library.path().display());

    let mut tables = Vec::new();
    large(library, &options, &mut tables);
    little(library, &options, &mut tables);
    let costs = measure_costs(library, &options);
    let leaked = library.live_handles();
    assert_eq!(leaked, 0, "handles left over");

    if let Some(file) = &options.json {
        let results = json!({
            "bench": "native",
            "machine": machine::describe(library),
            "tables": tables.iter().map(Table::json).collect::<Vec<_>>(),
            "costs": report::costs_json(&costs),
        });
        std::fs::write(file, format!("{results:#}\n")).unwrap_or_else(|error| stop(&format!("{file}: {error}")));
    }
}

fn stop(fault: &str) -> ! {
    eprintln!("libdv-bench: {fault}\n\n{USAGE}");
    std::process::exit(2);
}

/// T1 to T4, over many rows.
fn large(library: &'static Library, options: &Options, tables: &mut Vec<Table>) {
    let wanted = ["T1", "T2", "T3", "T3u", "T4"].map(|task| options.wants(task));
    if wanted == [false; 5] {
        return;
    }
    let [mut t1, mut t2, mut sorted, mut unsorted, mut t4] = [(); 5].map(|()| Vec::new());
    for (index, &(label, shape)) in SHAPES
        .iter()
        .enumerate()
        .filter(|(_, shape)| options.wants_cell(shape.0))
    {
        let seed = 1 + index as u64;
        let case = Case::new(library, label, options.rows, data::positions(shape, options.rows, seed));
        let cell = |results: Vec<Measured>| Cell::new(label, case.positions.len(), case.blob.len(), results);
        if wanted[0] {
            t1.push(cell(mask::run(library, &case, options.effort)));
        }
        if wanted[1] {
            t2.push(cell(positions::run(library, &case, options.effort)));
        }
        if wanted[2] {
            sorted.push(cell(encode::run(library, &case, &case.positions, options.effort)));
        }
        if wanted[3] {
            let shuffled = data::shuffled(&case.positions, seed);
            unsorted.push(cell(encode::run(library, &case, &shuffled, options.effort)));
        }
        if wanted[4] {
            let other = Case::new(
                library,
                label,
                options.rows,
                data::positions(shape, options.rows, seed + 100),
            );
            t4.push(cell(merge::run(library, &case, &other, options.effort)));
        }
    }
    for (wanted, task, title, cells) in [
        (wanted[0], "T1", "blob to keep mask", t1),
        (wanted[1], "T2", "blob to positions", t2),
        (wanted[2], "T3", "sorted positions to blob", sorted),
        (wanted[3], "T3u", "unsorted positions to blob", unsorted),
        (wanted[4], "T4", "two blobs merged into a third", t4),
    ] {
        if wanted {
            finish(Table { task, title, cells }, options, tables);
        }
    }
}

/// T5 to T8, each over data of its own.
fn little(library: &'static Library, options: &Options, tables: &mut Vec<Table>) {
    if options.wants("T5") {
        let bitmaps = mumbling::bitmaps(library);
        for (task, title, run) in [
            (
                "T5",
                "Mumbling bitmap to keep mask",
                mumbling::mask as fn(_, &_, _) -> _,
            ),
            ("T5p", "Mumbling bitmap to positions", mumbling::positions),
        ] {
            let cell = |bitmap: &mumbling::Bitmap| {
                let results = run(library, bitmap, options.effort);
                Cell::new(&bitmap.label, bitmap.positions.len(), bitmap.data.len(), results)
            };
            finish(
                Table {
                    task,
                    title,
                    cells: bitmaps.iter().map(cell).collect(),
                },
                options,
                tables,
            );
        }
    }
    if options.wants("T6") {
        let cases = small::cases(library);
        for (task, title, run) in [
            (
                "T6",
                "small blob to keep mask of 100,000 rows",
                mask::run as fn(_, &_, _) -> _,
            ),
            ("T6p", "small blob to positions", positions::run),
            ("T6e", "few positions to blob", |library, case, effort| {
                encode::run(library, case, &case.positions, effort)
            }),
        ] {
            let cell = |case: &Case| {
                Cell::new(
                    &case.label,
                    case.positions.len(),
                    case.blob.len(),
                    run(library, case, options.effort),
                )
            };
            finish(
                Table {
                    task,
                    title,
                    cells: cases.iter().map(cell).collect(),
                },
                options,
                tables,
            );
        }
    }
    if options.wants("T7") {
        let file = puffin::file(library);
        let results = puffin::run(library, &file, options.effort);
        let label = format!("{} vectors over {} rows", puffin::VECTORS, puffin::ROWS);
        let cells = vec![Cell::new(&label, puffin::POSITIONS, file.bytes.len(), results)];
        finish(
            Table {
                task: "T7",
                title: "Puffin file opened, all read and masked",
                cells,
            },
            options,
            tables,
        );
    }
    if options.wants("T8") {
        let cell = |&(label, rows): &(&str, i64)| {
            Cell::new(
                label,
                alternate::POSITIONS,
                0,
                alternate::run(library, rows, options.effort),
            )
        };
        let title = "set 100 positions and mask 4,096 rows, by turns, on a million positions; per turn";
        let cells = alternate::ROWS.iter().map(cell).collect();
        finish(
            Table {
                task: "T8",
                title,
                cells,
            },
            options,
            tables,
        );
    }
}

fn measure_costs(library: &'static Library, options: &Options) -> Vec<costs::Cost> {
    if !options.wants("costs") {
        return Vec::new();
    }
    let mut all = costs::run(library, options.effort);
    if options.growth {
        all.extend(costs::growth(library, options.effort));
    }
    report::print_costs(&all);
    all
}

fn finish(table: Table, options: &Options, tables: &mut Vec<Table>) {
    table.print(options.all);
    tables.push(table);
}
