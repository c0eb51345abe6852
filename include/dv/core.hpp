/* core.hpp - errors, inputs and bytes. Part of dv.hpp. */
#ifndef LIBDV_CORE_HPP
#define LIBDV_CORE_HPP

#include <cstddef>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "../dv.h"

namespace libdv {

/* A failed call. what() is the line of dv_last_error(). */
class error : public std::runtime_error {
 public:
  error(dv_status status, const std::string &text) : std::runtime_error(text), status_(status) {}
  dv_status status() const noexcept { return status_; }
  const char *status_name() const noexcept { return dv_status_name(status_); }

 private:
  dv_status status_;
};

namespace detail {

/* The first exception that left a callback of the call under way in this thread. Callbacks run on the calling thread,
 * so the call that fails because of it finds it here. */
inline std::exception_ptr &pending() {
  static thread_local std::exception_ptr exception;
  return exception;
}

/* Runs a callback's body: an exception must not cross the library, it waits in pending(). Calls that the body makes do
 * not see what an earlier callback of the outer call left there. */
template <class Result, class Body>
Result guarded(Result failure, Body body) noexcept {
  std::exception_ptr outer;
  std::swap(outer, pending());
  Result result = failure;
  try {
    result = body();
  } catch (...) {
    pending() = outer ? outer : std::current_exception(); /* what came later only followed from it */
    return failure;
  }
  pending() = outer;
  return result;
}

/* Makes a call. What a function of dv.h that was called without this header left pending is not its own. */
template <class Function, class... Arguments>
dv_status run(Function function, Arguments... arguments) {
  pending() = nullptr;
  return function(arguments...);
}

/* Turns the status of a call made by run() into an exception. */
inline void check(dv_status status) {
  std::exception_ptr exception;
  std::swap(exception, pending());
  if (status == DV_OK) return;
  error failure(status, dv_last_error());
  if (exception) std::rethrow_exception(exception);
  throw failure;
}

template <class Function, class... Arguments>
void call(Function function, Arguments... arguments) {
  check(run(function, arguments...));
}

/* The bytes of a mask. For a negative length none: the call will refuse it. */
inline std::size_t mask_size(std::int64_t length) {
  return length > 0 ? static_cast<std::size_t>(length / 8 + (length % 8 > 0)) : 0;
}

/* Whether a container lends contiguous integers of the size of T. */
template <class Container, class T>
struct holds {
  template <class C, class Element = typename std::remove_reference<decltype(*std::declval<const C &>().data())>::type>
  static std::integral_constant<bool, std::is_integral<Element>::value && sizeof(Element) == sizeof(T)> test(int);
  template <class>
  static std::false_type test(...);
  static const bool value = decltype(test<Container>(0))::value;
};

inline const char *c_string(const std::string &text) {
  if (text.find('\0') != std::string::npos) throw error(DV_INVALID_ARGUMENT, "a string holds a NUL");
  return text.c_str();
}

template <class T, void (*Free)(T *)>
struct deleter {
  void operator()(T *handle) const noexcept {
    Free(handle);
    pending() = nullptr; /* a drop reports nothing */
  }
};

template <class T, void (*Free)(T *)>
using owner = std::unique_ptr<T, deleter<T, Free>>;

} /* namespace detail */

/* Contiguous elements of somebody else, for the time of a call. */
template <class T>
class input {
 public:
  input() noexcept : data_(nullptr), size_(0) {}
  input(const T *data, std::size_t size) noexcept : data_(data), size_(size) {}
  input(std::initializer_list<T> list) noexcept : input(list.begin(), list.size()) {}
  template <std::size_t N>
  input(const T (&array)[N]) noexcept : data_(array), size_(N) {}
  template <
      class Container, class Element = decltype(*std::declval<const Container &>().data()),
      class = typename std::enable_if<
          sizeof(Element) == sizeof(T) &&
          std::is_integral<typename std::remove_cv<typename std::remove_reference<Element>::type>::type>::value>::type>
  input(const Container &container) noexcept
      : data_(reinterpret_cast<const T *>(container.data())), size_(container.size()) {}
  const T *data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }

 private:
  const T *data_;
  std::size_t size_;
};

/* Bytes that the library made, owned. data()[size()] is 0. */
class bytes {
 public:
  bytes() noexcept : own_() {}
  bytes(bytes &&other) noexcept : own_(other.own_) { other.own_ = dv_bytes(); }
  bytes &operator=(bytes &&other) noexcept {
    std::swap(own_, other.own_);
    return *this;
  }
  bytes(const bytes &) = delete;
  bytes &operator=(const bytes &) = delete;
  ~bytes() { dv_bytes_free(&own_); }

  const std::uint8_t *data() const noexcept { return own_.data; }
  std::size_t size() const noexcept { return own_.size; }
  const std::uint8_t *begin() const noexcept { return own_.data; }
  const std::uint8_t *end() const noexcept { return own_.data + own_.size; }
  std::string str() const { return std::string(reinterpret_cast<const char *>(own_.data), own_.size); }
  dv_bytes *out() noexcept { /* for a function of dv.h to fill */
    dv_bytes_free(&own_);
    return &own_;
  }

 private:
  dv_bytes own_;
};

} /* namespace libdv */
#endif /* LIBDV_CORE_HPP */
