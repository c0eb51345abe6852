/*
 * iceberg.cpp - delete rows of an Iceberg v3 table, delete more, and filter a scan.
 *
 * usage: iceberg DIRECTORY   (an empty one; the Puffin files go there)
 */
#include <dv.hpp>

#include <iostream>
#include <string>
#include <vector>

static const std::string data_file = "s3://lake/t/data/a.parquet";

/* [delete] */
/* Deletes rows, on top of those that previous says are deleted already, and prints the manifest entries. */
static void delete_rows(const std::string &path, const std::string &location, const std::vector<std::int64_t> &rows,
                        const libdv::deletion_vector *previous = nullptr) {
  libdv::writer writer; /* libdv::writer(specs) for a partitioned table */
  writer.add(data_file, rows);
  if (previous != nullptr) writer.load(data_file, *previous);
  libdv::sink file = libdv::sink::path(path);        /* the file appears whole, or not at all */
  std::cout << writer.flush(file, location) << "\n"; /* content files, as a REST catalog takes them */
}
/* [delete] */

/* [read] */
/* Reads the vector that a manifest entry points at; it is checked against the entry and the file's footer. */
static libdv::deletion_vector read_vector(const std::string &path, const libdv::manifest_entry &entry) {
  return libdv::read(libdv::source::path(path), entry);
}

/* Prints the rows of [0, length) that a scan keeps. */
static void scan(const libdv::deletion_vector &deleted, std::int64_t length) {
  std::cout << "kept:";
  for (std::uint32_t row : deleted.keep_indices(0, length)) std::cout << " " << row; /* a selection vector */
  std::cout << "\n";
}
/* [read] */

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  const std::string first = argv[1] + std::string("/first.puffin"), second = argv[1] + std::string("/second.puffin");
  try {
    delete_rows(first, "s3://lake/t/data/first.puffin", {3, 5, 8});
    libdv::deletion_vector deleted = read_vector(first, {4, 46, 3, data_file});
    scan(deleted, 10);

    delete_rows(second, "s3://lake/t/data/second.puffin", {5, 0}, &deleted);
    scan(read_vector(second, {4, 48, 4, data_file}), 10);
  } catch (const libdv::error &failure) {
    std::cerr << failure.status_name() << ": " << failure.what() << "\n";
    return 1;
  }
  return dv_live_handles() == 0 ? 0 : 1;
}
