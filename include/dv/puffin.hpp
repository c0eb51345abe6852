/* puffin.hpp - Puffin files, their writer, and inspection. Part of dv.hpp. */
#ifndef LIBDV_PUFFIN_HPP
#define LIBDV_PUFFIN_HPP

#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <vector>

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

/* Keep masks in one piece of memory: each begins at an address that is a multiple of 64, with zero bytes behind it up
 * to the next such address, as Arrow wants its buffers. */
class mask_list {
 public:
  mask_list(mask_list &&) = default;
  mask_list &operator=(mask_list &&) = default;
  std::size_t size() const noexcept { return masks_.size(); }                               /* in masks */
  const input<std::uint8_t> &operator[](std::size_t i) const noexcept { return masks_[i]; } /* lives as long as this */

 private:
  friend class puffin_file;
  enum : std::size_t { alignment = 64 };
  explicit mask_list(input<std::int64_t> lengths) : room_(0) {
    for (std::size_t i = 0; i < lengths.size(); i++) {
      std::size_t size = padded(detail::mask_size(lengths.data()[i]));
      if (size > SIZE_MAX / 2 - room_) throw std::bad_alloc();
      room_ += size;
    }
    memory_.reset(new std::uint8_t[room_ + alignment - 1]);
    std::uint8_t *at = begin();
    masks_.reserve(lengths.size());
    for (std::size_t i = 0; i < lengths.size(); i++) {
      masks_.emplace_back(at, detail::mask_size(lengths.data()[i]));
      at += padded(masks_.back().size());
    }
  }
  static std::size_t padded(std::size_t size) { return (size + alignment - 1) / alignment * alignment; }
  std::uint8_t *begin() const noexcept {
    std::size_t past = reinterpret_cast<std::uintptr_t>(memory_.get()) % alignment;
    return memory_.get() + (past == 0 ? 0 : alignment - past);
  }
  std::unique_ptr<std::uint8_t[]> memory_;
  std::size_t room_; /* from begin() on */
  std::vector<input<std::uint8_t>> masks_;
};

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
  /* The keep masks of many blobs in one call: of blob indices[i], its rows 0 to lengths[i] - 1. */
  mask_list keep_masks(input<std::size_t> indices, input<std::int64_t> lengths) const {
    if (indices.size() != lengths.size()) throw error(DV_INVALID_ARGUMENT, "other numbers of indices and lengths");
    return masks(indices.data(), lengths);
  }
  /* Those of the blobs 0 to lengths.size() - 1. */
  mask_list keep_masks(input<std::int64_t> lengths) const { return masks(nullptr, lengths); }
  dv_puffin_t *get() const noexcept { return handle_.get(); }

 private:
  mask_list masks(const std::size_t *indices, input<std::int64_t> lengths) const {
    mask_list out(lengths);
    detail::call(dv_puffin_keep_masks, get(), indices, lengths.data(), lengths.size(), out.begin(), out.room_);
    return out;
  }
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
