/* delta.hpp - Delta vector files, inline vectors and descriptors. Part of dv.hpp. */
#ifndef LIBDV_DELTA_HPP
#define LIBDV_DELTA_HPP

#include <cstdint>
#include <string>

#include "storage.hpp"

namespace libdv {

namespace delta {

/* Streams vectors into one file. One that is destroyed unfinished drops it. Its sink must outlive it. */
class writer {
 public:
  explicit writer(sink &to) {
    dv_delta_writer_t *out = nullptr;
    detail::call(dv_delta_writer_new, to.get(), &out);
    handle_.reset(out);
  }
  dv_delta_result write(const deletion_vector &vector) {
    dv_delta_result result = {0, 0, 0};
    detail::call(dv_delta_writer_write, get(), vector.get(), &result);
    return result;
  }
  void finalize() { detail::call(dv_delta_writer_finalize, get()); }
  dv_delta_writer_t *get() const noexcept { return handle_.get(); }

 private:
  detail::owner<dv_delta_writer_t, dv_delta_writer_free> handle_;
};

inline deletion_vector read(const source &from, std::int32_t offset = DV_UNKNOWN,
                            std::int32_t size_in_bytes = DV_UNKNOWN, std::int64_t cardinality = DV_UNKNOWN) {
  return deletion_vector::made(
      [&](dv_t **out) { return dv_delta_read(from.get(), offset, size_in_bytes, cardinality, out); });
}

struct inline_vector {
  std::string text;
  std::int32_t size_in_bytes;
};

inline inline_vector inline_encode(const deletion_vector &vector) {
  bytes text;
  std::int32_t size = 0;
  detail::call(dv_delta_inline_encode, vector.get(), text.out(), &size);
  return inline_vector{text.str(), size};
}

inline deletion_vector inline_decode(const std::string &text, std::int32_t size_in_bytes = DV_UNKNOWN,
                                     std::int64_t cardinality = DV_UNKNOWN) {
  return deletion_vector::made(
      [&](dv_t **out) { return dv_delta_inline_decode(text.data(), text.size(), size_in_bytes, cardinality, out); });
}

/* Descriptors, as JSON. */
inline std::string descriptor(const std::string &relative_path, const dv_delta_result &result) {
  bytes json;
  detail::call(dv_delta_descriptor_new, detail::c_string(relative_path), &result, json.out());
  return json.str();
}

inline std::string inline_descriptor(const deletion_vector &vector) {
  bytes json;
  detail::call(dv_delta_descriptor_inline, vector.get(), json.out());
  return json.str();
}

inline std::string descriptor_path(const std::string &json) {
  bytes path;
  detail::call(dv_delta_descriptor_path, detail::c_string(json), path.out());
  return path.str();
}

inline std::string descriptor_unique_id(const std::string &json) {
  bytes id;
  detail::call(dv_delta_descriptor_unique_id, detail::c_string(json), id.out());
  return id.str();
}

/* Of a descriptor that holds its vector. */
inline deletion_vector descriptor_read(const std::string &json) {
  return deletion_vector::made(
      [&](dv_t **out) { return dv_delta_descriptor_read(nullptr, detail::c_string(json), out); });
}

/* Of a descriptor that points at a file. */
inline deletion_vector descriptor_read(const source &from, const std::string &json) {
  return deletion_vector::made(
      [&](dv_t **out) { return dv_delta_descriptor_read(from.get(), detail::c_string(json), out); });
}

} /* namespace delta */

} /* namespace libdv */
#endif /* LIBDV_DELTA_HPP */
