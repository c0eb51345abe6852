/*
 * scan.cpp - the keep masks of all data files whose deletes are in one Puffin file.
 *
 * usage: scan
 */
#include <dv.hpp>

#include <iostream>
#include <string>
#include <vector>

static void print_mask(std::size_t vector, const std::uint8_t *mask, std::int64_t rows) {
  std::cout << "vector " << vector << " keeps:";
  for (std::int64_t row = 0; row < rows; row++) {
    if (mask[row / 8] >> row % 8 & 1) std::cout << " " << row;
  }
  std::cout << "\n";
}

/* [masks] */
/* Prints which rows of its data files a scan keeps; number i has rows[i]. */
static void scan(const std::string &path, const std::vector<std::int64_t> &rows) {
  libdv::source source = libdv::source::path(path);
  libdv::puffin_file file(source);
  libdv::mask_list masks = file.keep_masks(rows); /* aligned and padded, as Arrow wants its buffers */
  for (std::size_t i = 0; i < masks.size(); i++) print_mask(i, masks[i].data(), rows[i]);
}
/* [masks] */

int main() {
  try {
    scan("testdata/golden/iceberg/multi_3_files.puffin", {10, 16, 12});
  } catch (const libdv::error &failure) {
    std::cerr << failure.status_name() << ": " << failure.what() << "\n";
    return 1;
  }
  return dv_live_handles() == 0 ? 0 : 1;
}
