/* vector.hpp - deletion vectors and the bitmap codecs. Part of dv.hpp. */
#ifndef LIBDV_VECTOR_HPP
#define LIBDV_VECTOR_HPP

#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "core.hpp"

namespace libdv {

class deletion_vector {
 public:
  deletion_vector() {
    make([](dv_t **out) { return dv_new(out); });
  }
  explicit deletion_vector(input<std::int64_t> positions) : deletion_vector() { set(positions); }
  explicit deletion_vector(std::initializer_list<std::int64_t> positions)
      : deletion_vector(input<std::int64_t>(positions)) {}
  explicit deletion_vector(dv_t *handle) noexcept : handle_(handle) {} /* takes it over */

  static deletion_vector deserialize(input<std::uint8_t> blob, std::int64_t expected_cardinality = DV_UNKNOWN) {
    return made([&](dv_t **out) { return dv_deserialize(blob.data(), blob.size(), expected_cardinality, out); });
  }
  /* Borrows blob until it is destroyed or assigned to. */
  static deletion_vector view(input<std::uint8_t> blob, std::int64_t expected_cardinality = DV_UNKNOWN) {
    return made([&](dv_t **out) { return dv_view(blob.data(), blob.size(), expected_cardinality, out); });
  }
  static deletion_vector deserialize_bitmap(input<std::uint8_t> bitmap) {
    return made([&](dv_t **out) { return dv_deserialize_bitmap(bitmap.data(), bitmap.size(), out); });
  }
  deletion_vector copy() const {
    return made([&](dv_t **out) { return dv_copy(get(), out); });
  }

  void set(std::int64_t position) { detail::call(dv_set, get(), position); }
  void set(input<std::int64_t> positions) { detail::call(dv_set_many, get(), positions.data(), positions.size()); }
  void set(std::initializer_list<std::int64_t> positions) { set(input<std::int64_t>(positions)); } /* {}: none */
  void set_range(std::int64_t start, std::int64_t end) { detail::call(dv_set_range, get(), start, end); }
  deletion_vector &operator|=(const deletion_vector &other) {
    detail::call(dv_or, get(), other.get());
    return *this;
  }
  deletion_vector &operator-=(const deletion_vector &other) {
    detail::call(dv_andnot, get(), other.get());
    return *this;
  }
  void run_length_encode() { detail::call(dv_run_length_encode, get()); }

  bool contains(std::int64_t position) const {
    bool in = false;
    detail::call(dv_contains, get(), position, &in);
    return in;
  }
  std::vector<std::uint8_t> contains(std::initializer_list<std::int64_t> positions) const {
    return contains(input<std::int64_t>(positions));
  }
  std::vector<std::uint8_t> contains(input<std::int64_t> positions) const {
    std::vector<std::uint8_t> out(positions.size());
    detail::call(dv_contains_many, get(), positions.data(), positions.size(), out.data());
    return out;
  }
  std::int64_t cardinality() const {
    std::int64_t n = 0;
    detail::call(dv_cardinality, get(), &n);
    return n;
  }
  std::int64_t count(std::int64_t start, std::int64_t end) const {
    std::int64_t n = 0;
    detail::call(dv_count, get(), start, end, &n);
    return n;
  }
  bool empty() const {
    bool none = false;
    detail::call(dv_is_empty, get(), &none);
    return none;
  }
  friend bool operator==(const deletion_vector &a, const deletion_vector &b) {
    bool same = false;
    detail::call(dv_equals, a.get(), b.get(), &same);
    return same;
  }
  friend bool operator!=(const deletion_vector &a, const deletion_vector &b) { return !(a == b); }

  /* All positions of a range, in memory of their own; dv_positions pages through them. */
  std::vector<std::int64_t> positions(std::int64_t start = 0, std::int64_t end = INT64_MAX) const {
    std::vector<std::int64_t> out(static_cast<std::size_t>(count(start, end)));
    std::size_t n = 0;
    detail::call(dv_positions, get(), start, end, out.data(), out.size(), &n);
    out.resize(n);
    return out;
  }
  std::vector<std::uint8_t> keep_mask(std::int64_t start, std::int64_t length) const {
    return filled(detail::mask_size(length),
                  [&](std::uint8_t *out, std::size_t n) { return dv_keep_mask(get(), start, length, out, n); });
  }
  std::vector<std::uint8_t> delete_mask(std::int64_t start, std::int64_t length) const {
    return filled(detail::mask_size(length),
                  [&](std::uint8_t *out, std::size_t n) { return dv_delete_mask(get(), start, length, out, n); });
  }
  std::vector<std::uint8_t> keep_bytes(std::int64_t start, std::int64_t length) const {
    return filled(length > 0 ? static_cast<std::size_t>(length) : 0,
                  [&](std::uint8_t *out, std::size_t n) { return dv_keep_bytes(get(), start, length, out, n); });
  }
  std::vector<std::uint32_t> keep_indices(std::int64_t start, std::int64_t length) const {
    std::size_t n = 0;
    dv_status status = detail::run(dv_keep_indices, get(), start, length, nullptr, 0, &n);
    std::vector<std::uint32_t> out(n);
    if (status == DV_TOO_SMALL) status = detail::run(dv_keep_indices, get(), start, length, out.data(), out.size(), &n);
    detail::check(status);
    return out;
  }

  bytes serialize() const {
    bytes out;
    detail::call(dv_serialize, get(), out.out());
    return out;
  }
  bytes serialize_bitmap() const {
    bytes out;
    detail::call(dv_serialize_bitmap, get(), out.out());
    return out;
  }

  dv_t *get() const noexcept { return handle_.get(); }
  dv_t *release() noexcept { return handle_.release(); } /* the caller frees it */

  /* The vector that a function of dv.h stores in its last argument. */
  template <class Call>
  static deletion_vector made(Call call) {
    deletion_vector vector(nullptr);
    vector.make(call);
    return vector;
  }

 private:
  explicit deletion_vector(std::nullptr_t) noexcept {}
  template <class Call>
  void make(Call call) {
    dv_t *out = nullptr;
    detail::call(call, &out);
    handle_.reset(out);
  }
  template <class Call>
  static std::vector<std::uint8_t> filled(std::size_t size, Call call) {
    std::vector<std::uint8_t> out(size);
    detail::call(call, out.data(), out.size());
    return out;
  }
  detail::owner<dv_t, dv_free> handle_;
};

inline std::vector<std::uint8_t> blob_keep_mask(input<std::uint8_t> blob, std::int64_t start, std::int64_t length,
                                                std::int64_t expected_cardinality = DV_UNKNOWN) {
  std::vector<std::uint8_t> out(detail::mask_size(length));
  detail::call(dv_blob_keep_mask, blob.data(), blob.size(), expected_cardinality, start, length, out.data(),
               out.size());
  return out;
}

inline std::vector<std::int64_t> blob_positions(input<std::uint8_t> blob,
                                                std::int64_t expected_cardinality = DV_UNKNOWN) {
  std::size_t n = 0;
  dv_status status = detail::run(dv_blob_positions, blob.data(), blob.size(), expected_cardinality, nullptr, 0, &n);
  std::vector<std::int64_t> out(n);
  if (status == DV_TOO_SMALL) {
    status = detail::run(dv_blob_positions, blob.data(), blob.size(), expected_cardinality, out.data(), out.size(), &n);
  }
  detail::check(status);
  return out;
}

/* The blob of positions, in any order and repeated at will. */
inline bytes blob_from_positions(input<std::int64_t> positions) {
  bytes out;
  detail::call(dv_blob_from_positions, positions.data(), positions.size(), out.out());
  return out;
}

} /* namespace libdv */
#endif /* LIBDV_VECTOR_HPP */
