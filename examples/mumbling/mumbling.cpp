/*
 * mumbling.cpp - a manifest's own deletion vector: which of its entries are deleted.
 *
 * usage: mumbling
 */
#include <dv.hpp>

#include <cstdio>
#include <iostream>
#include <vector>

/* [write] */
/* Makes the bytes that go into the manifest's entry. */
static libdv::bytes delete_entries(const std::vector<std::int64_t> &entries) {
  return libdv::mumbling_bitmap::encode(libdv::deletion_vector(entries));
}
/* [write] */

/* [read] */
/* Prints the entries of the manifest that are still there. */
static void list_entries(const libdv::bytes &bytes, std::int32_t entries) {
  libdv::mumbling_bitmap deleted(bytes); /* copies the bytes, checks the header */
  deleted.validate();                    /* everything that the format promises */
  std::vector<std::uint8_t> mask = deleted.keep_mask(0, entries);
  std::cout << "kept:";
  for (std::int32_t i = 0; i < entries; i++) {
    if (mask[i / 8] >> i % 8 & 1) std::cout << " " << i;
  }
  std::cout << "\n";
}
/* [read] */

int main() {
  try {
    libdv::bytes bytes = delete_entries({2, 7, 300});
    std::cout << bytes.size() << " bytes:";
    for (std::uint8_t byte : bytes) {
      char hex[4];
      std::snprintf(hex, sizeof hex, " %02x", byte);
      std::cout << hex;
    }
    std::cout << "\n";
    list_entries(bytes, 10);

    /* Deleting more: to a deletion vector, and back. */
    libdv::deletion_vector deleted = libdv::mumbling_bitmap(bytes).to_vector();
    deleted.set_range(4, 7);
    list_entries(libdv::mumbling_bitmap::encode(deleted), 10);
  } catch (const libdv::error &failure) {
    std::cerr << failure.status_name() << ": " << failure.what() << "\n";
    return 1;
  }
  return dv_live_handles() == 0 ? 0 : 1;
}
