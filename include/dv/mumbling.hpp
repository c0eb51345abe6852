/* mumbling.hpp - Mumbling bitmaps and their PFOR coding. Part of dv.hpp. */
#ifndef LIBDV_MUMBLING_HPP
#define LIBDV_MUMBLING_HPP

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "vector.hpp"

namespace libdv {

class mumbling_bitmap {
 public:
  explicit mumbling_bitmap(input<std::uint8_t> data) { /* copied */
    mumbling_t *out = nullptr;
    detail::call(mumbling_read, data.data(), data.size(), &out);
    handle_.reset(out);
  }
  void validate() const { detail::call(mumbling_validate, get()); }
  std::int32_t cardinality() const {
    std::int32_t n = 0;
    detail::call(mumbling_cardinality, get(), &n);
    return n;
  }
  bool contains(std::int32_t position) const {
    bool in = false;
    detail::call(mumbling_is_set, get(), position, &in);
    return in;
  }
  std::vector<std::uint8_t> contains(std::initializer_list<std::int32_t> positions) const {
    return contains(input<std::int32_t>(positions));
  }
  std::vector<std::uint8_t> contains(input<std::int32_t> positions) const {
    std::vector<std::uint8_t> out(positions.size());
    detail::call(mumbling_is_set_many, get(), positions.data(), positions.size(), out.data());
    return out;
  }
  std::vector<std::int32_t> positions() const {
    std::size_t n = 0;
    dv_status status = detail::run(mumbling_positions, get(), nullptr, 0, &n);
    std::vector<std::int32_t> out(n);
    if (status == DV_TOO_SMALL) status = detail::run(mumbling_positions, get(), out.data(), out.size(), &n);
    detail::check(status);
    return out;
  }
  std::vector<std::uint8_t> keep_mask(std::int32_t start, std::int32_t length) const {
    std::vector<std::uint8_t> out(detail::mask_size(length));
    detail::call(mumbling_keep_mask, get(), start, length, out.data(), out.size());
    return out;
  }
  input<std::uint8_t> buffer() const { /* lives as long as the bitmap */
    const std::uint8_t *data = nullptr;
    std::size_t size = 0;
    detail::call(mumbling_buffer, get(), &data, &size);
    return input<std::uint8_t>(data, size);
  }
  deletion_vector to_vector() const {
    return deletion_vector::made([&](dv_t **out) { return mumbling_to_dv(get(), out); });
  }
  static bytes encode(const deletion_vector &vector) {
    bytes out;
    detail::call(mumbling_from_dv, vector.get(), out.out());
    return out;
  }
  mumbling_t *get() const noexcept { return handle_.get(); }

 private:
  detail::owner<mumbling_t, mumbling_free> handle_;
};

namespace pfor {

inline bytes encode(input<std::uint8_t> values) {
  bytes out;
  detail::call(mumbling_pfor_encode, values.data(), values.size(), out.out());
  return out;
}

/* Decodes count values; consumed: NULL, or where the number of bytes goes that they took. */
inline std::vector<std::uint8_t> decode(input<std::uint8_t> data, std::size_t count, std::size_t *consumed = nullptr) {
  std::vector<std::uint8_t> values(count);
  std::size_t n = 0;
  detail::call(mumbling_pfor_decode, data.data(), data.size(), values.data(), values.size(), &n);
  if (consumed != nullptr) *consumed = n;
  return values;
}

inline std::size_t estimate(std::size_t count) {
  std::size_t n = 0;
  detail::call(mumbling_pfor_estimate, count, &n);
  return n;
}

} /* namespace pfor */

} /* namespace libdv */
#endif /* LIBDV_MUMBLING_HPP */
