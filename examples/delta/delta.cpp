/*
 * delta.cpp - deletion vectors of a Delta table: a file of two, their descriptors, an inline one, and the way to Iceberg.
 *
 * usage: delta DIRECTORY   (an empty one: the table's root)
 */
#include <dv.hpp>

#include <iostream>
#include <string>
#include <vector>

/* [write] */
/* Writes two vectors into one file and returns the descriptor of each: what add.deletionVector holds. */
static std::vector<std::string> write_file(const std::string &root, const std::string &relative_path,
                                           const libdv::deletion_vector &first, const libdv::deletion_vector &second) {
  libdv::sink file = libdv::sink::path(root + "/" + relative_path);
  libdv::delta::writer writer(file);
  std::vector<std::string> descriptors;
  for (const libdv::deletion_vector *vector : {&first, &second}) {
    descriptors.push_back(libdv::delta::descriptor(relative_path, writer.write(*vector)));
  }
  writer.finalize(); /* now the file is there */
  return descriptors;
}
/* [write] */

/* [read] */
/* Reads the vector that a descriptor points at; size and cardinality are checked. */
static libdv::deletion_vector read_vector(const std::string &root, const std::string &descriptor) {
  std::string path = libdv::delta::descriptor_path(descriptor); /* empty for an inline vector */
  if (path.empty()) return libdv::delta::descriptor_read(descriptor);
  return libdv::delta::descriptor_read(libdv::source::path(root + "/" + path), descriptor);
}
/* [read] */

/* Prints what was read, and whether it is what was written. */
static void compare(const std::string &what, const libdv::deletion_vector &written,
                    const libdv::deletion_vector &read) {
  std::cout << what << ": " << read.cardinality() << " rows, "
            << (read == written ? "as written" : "OTHERS THAN WRITTEN") << "\n";
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  const std::string root = argv[1], name = "deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin";
  try {
    libdv::deletion_vector few(libdv::input<std::int64_t>{3, 5, 8}), many;
    many.set_range(100, 200);

    std::vector<std::string> descriptors = write_file(root, name, few, many);
    for (const std::string &descriptor : descriptors) std::cout << descriptor << "\n";
    compare("first", few, read_vector(root, descriptors[0]));
    compare("second", many, read_vector(root, descriptors[1]));

    std::string inline_one = libdv::delta::inline_descriptor(few);
    std::cout << inline_one << "\n";
    compare("inline", few, read_vector(root, inline_one));

    compare("as an Iceberg blob", few, libdv::read_range(libdv::source::path(root + "/" + name), 1, 38 + 8));
  } catch (const libdv::error &failure) {
    std::cerr << failure.status_name() << ": " << failure.what() << "\n";
    return 1;
  }
  return dv_live_handles() == 0 ? 0 : 1;
}
