/* puffin.hpp - Puffin files, their writer, and inspection. Part of dv.hpp. */
#ifndef LIBDV_PUFFIN_HPP
#define LIBDV_PUFFIN_HPP

#include <cstdint>
#include <string>

#include "storage.hpp"

namespace libdv {

/* What a manifest says of a deletion vector. */
struct manifest_entry {
  std::int64_t content_offset;
  std::int64_t content_size;
  std::int64_t record_count;
  std::string referenced_data_file;
};

/* The vector of an entry. warnings: NULL, or where DV_WARN_* bits go. */
inline deletion_vector read(const source &from, const manifest_entry &entry, std::uint32_t *warnings = nullptr) {
  return deletion_vector::made([&](dv_t **out) {
    return dv_read(from.get(), entry.content_offset, entry.content_size, entry.record_count,
                   detail::c_string(entry.referenced_data_file), out, warnings);
  });
}

/* An opened file. Its source must live while vectors are read. */
class puffin_file {
 public:
  explicit puffin_file(const source &from) {
    dv_puffin_t *out = nullptr;
    detail::call(dv_puffin_open, from.get(), &out);
    handle_.reset(out);
  }
  std::size_t size() const { /* in blobs */
    std::size_t n = 0;
    detail::call(dv_puffin_count, get(), &n);
    return n;
  }
  const dv_puffin_blob &operator[](std::size_t index) const { /* lives as long as the file */
    const dv_puffin_blob *blob = nullptr;
    detail::call(dv_puffin_blob_at, get(), index, &blob);
    return *blob;
  }
  std::string footer_json() const {
    bytes out;
    detail::call(dv_puffin_footer_json, get(), out.out());
    return out.str();
  }
  deletion_vector read(std::size_t index) const {
    return deletion_vector::made([&](dv_t **out) { return dv_puffin_read(get(), index, out); });
  }
  deletion_vector read(const manifest_entry &entry, std::uint32_t *warnings = nullptr) const {
    return deletion_vector::made([&](dv_t **out) {
      return dv_puffin_read_entry(get(), entry.content_offset, entry.content_size, entry.record_count,
                                  detail::c_string(entry.referenced_data_file), out, warnings);
    });
  }
  dv_puffin_t *get() const noexcept { return handle_.get(); }

 private:
  detail::owner<dv_puffin_t, dv_puffin_free> handle_;
};

/* Collects deletes per data file. An empty partition_json stands for none. */
class writer {
 public:
  writer() { make(nullptr); }
  explicit writer(const std::string &partition_specs_json) { make(detail::c_string(partition_specs_json)); }

  void add(const std::string &data_file, input<std::int64_t> positions, std::int32_t spec_id = 0,
           const std::string &partition_json = std::string()) {
    detail::call(dv_writer_add, get(), detail::c_string(data_file), positions.data(), positions.size(), spec_id,
                 optional(partition_json));
  }
  void load(const std::string &data_file, const deletion_vector &existing, std::int32_t spec_id = 0,
            const std::string &partition_json = std::string()) {
    detail::call(dv_writer_load, get(), detail::c_string(data_file), existing.get(), spec_id, optional(partition_json));
  }
  /* The entries, as JSON. */
  std::string flush(sink &to, const std::string &location) {
    bytes entries;
    detail::call(dv_writer_flush, get(), to.get(), detail::c_string(location), entries.out());
    return entries.str();
  }
  dv_writer_t *get() const noexcept { return handle_.get(); }

 private:
  void make(const char *specs) {
    dv_writer_t *out = nullptr;
    detail::call(dv_writer_new, specs, &out);
    handle_.reset(out);
  }
  static const char *optional(const std::string &text) { return text.empty() ? nullptr : detail::c_string(text); }
  detail::owner<dv_writer_t, dv_writer_free> handle_;
};

/* --------------------------------------------------------------- inspection */

/* What the bytes are and how they are built, as JSON. No format: it is guessed. */
inline std::string inspect(const source &from, const std::string &format = std::string()) {
  bytes json;
  detail::call(dv_inspect, from.get(), format.empty() ? nullptr : detail::c_string(format), json.out());
  return json.str();
}

} /* namespace libdv */
#endif /* LIBDV_PUFFIN_HPP */
