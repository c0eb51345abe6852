/* storage.hpp - sources and sinks. Part of dv.hpp. */
#ifndef LIBDV_STORAGE_HPP
#define LIBDV_STORAGE_HPP

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "vector.hpp"

namespace libdv {

class source {
 public:
  /* Like dv_read_at_fn; may throw. Threads that read one source at once call it at once. */
  using read_at_function = std::function<std::int64_t(std::int64_t offset, std::uint8_t *buffer, std::size_t size)>;

  /* Borrows data until it is destroyed or assigned to. */
  static source memory(input<std::uint8_t> data) {
    source made;
    made.make([&](dv_source_t **out) { return dv_source_memory(data.data(), data.size(), out); });
    return made;
  }
  static source path(const std::string &path) {
    source made;
    made.make([&](dv_source_t **out) { return dv_source_path(detail::c_string(path), out); });
    return made;
  }
  static source callbacks(std::int64_t size, read_at_function read_at) {
    source made;
    made.read_at_.reset(new read_at_function(std::move(read_at)));
    made.make([&](dv_source_t **out) { return dv_source_callbacks(made.read_at_.get(), size, call, out); });
    return made;
  }
  source(source &&other) = default;
  source &operator=(source &&other) noexcept { /* the old handle goes before its function */
    handle_ = std::move(other.handle_);
    read_at_ = std::move(other.read_at_);
    return *this;
  }
  dv_source_t *get() const noexcept { return handle_.get(); }

 private:
  source() = default;
  template <class Call>
  void make(Call call) {
    dv_source_t *out = nullptr;
    detail::call(call, &out);
    handle_.reset(out);
  }
  static std::int64_t call(void *context, std::int64_t offset, std::uint8_t *buffer, std::size_t size) noexcept {
    return detail::guarded<std::int64_t>(
        -1, [&] { return (*static_cast<read_at_function *>(context))(offset, buffer, size); });
  }
  std::unique_ptr<read_at_function> read_at_; /* outlives the handle: members go in reverse */
  detail::owner<dv_source_t, dv_source_free> handle_;
};

class sink {
 public:
  using write_function = std::function<void(const std::uint8_t *data, std::size_t size)>; /* throws to refuse */
  using finish_function = std::function<void(bool success)>; /* throws to refuse a commit */

  static sink memory() {
    sink made;
    made.make([](dv_sink_t **out) { return dv_sink_memory(out); });
    return made;
  }
  static sink path(const std::string &path) {
    sink made;
    made.make([&](dv_sink_t **out) { return dv_sink_path(detail::c_string(path), out); });
    return made;
  }
  static sink callbacks(write_function write, finish_function finish) {
    sink made;
    made.functions_.reset(new functions{std::move(write), std::move(finish)});
    made.make([&](dv_sink_t **out) { return dv_sink_callbacks(made.functions_.get(), call_write, call_finish, out); });
    return made;
  }
  bytes take() {
    bytes out;
    detail::call(dv_sink_take, get(), out.out());
    return out;
  }
  sink(sink &&other) = default;
  sink &operator=(sink &&other) noexcept { /* the old handle goes before its functions: it may still call one */
    handle_ = std::move(other.handle_);
    functions_ = std::move(other.functions_);
    return *this;
  }
  dv_sink_t *get() const noexcept { return handle_.get(); }

 private:
  struct functions {
    write_function write;
    finish_function finish;
  };
  sink() = default;
  template <class Call>
  void make(Call call) {
    dv_sink_t *out = nullptr;
    detail::call(call, &out);
    handle_.reset(out);
  }
  static std::int32_t call_write(void *context, const std::uint8_t *data, std::size_t size) noexcept {
    return detail::guarded<std::int32_t>(1, [&] {
      static_cast<functions *>(context)->write(data, size);
      return 0;
    });
  }
  static std::int32_t call_finish(void *context, bool success) noexcept {
    return detail::guarded<std::int32_t>(1, [&] {
      static_cast<functions *>(context)->finish(success);
      return 0;
    });
  }
  std::unique_ptr<functions> functions_;
  detail::owner<dv_sink_t, dv_sink_free> handle_;
};

inline deletion_vector read_range(const source &from, std::int64_t offset, std::int64_t size,
                                  std::int64_t expected_cardinality = DV_UNKNOWN) {
  return deletion_vector::made(
      [&](dv_t **out) { return dv_read_range(from.get(), offset, size, expected_cardinality, out); });
}

} /* namespace libdv */
#endif /* LIBDV_STORAGE_HPP */
