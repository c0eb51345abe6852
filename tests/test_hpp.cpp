/* test_hpp.cpp - the C++ side: owners that move, failures and callbacks' exceptions as exceptions, inputs of every shape. */
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "check.h"
#include "dv.hpp"

using libdv::deletion_vector;

/* The status of the error that body throws; DV_OK where it throws none. */
template <class Body>
static dv_status thrown(Body body) {
  try {
    body();
  } catch (const libdv::error &e) {
    CHECK(std::string(e.what()) == dv_last_error() || e.status() == DV_INVALID_ARGUMENT);
    CHECK(std::string(e.status_name()) == dv_status_name(e.status()));
    return e.status();
  }
  return DV_OK;
}

#define CHECK_VECTOR(values, ...) CHECK((values) == (__VA_ARGS__))
using longs = std::vector<std::int64_t>;
using octets = std::vector<std::uint8_t>;

static void test_vector() {
  deletion_vector dv;
  CHECK(dv.empty());
  dv.set(7);
  dv.set({1, 70000, 1});
  dv.set(longs{9});
  dv.set(std::array<std::int64_t, 1>{{10}});
  const std::int64_t array[] = {11, 12};
  dv.set(array);
  dv.set({array, 1});
  dv.set_range(20, 22);
  CHECK_VECTOR(dv.positions(), longs{1, 7, 9, 10, 11, 12, 20, 21, 70000});
  CHECK_VECTOR(dv.positions(8, 12), longs{9, 10, 11});
  CHECK(dv.contains(9) && !dv.contains(8));
  CHECK_VECTOR(dv.contains({9, 8}), octets{1, 0});
  CHECK_INT(9, dv.cardinality());
  CHECK_INT(2, dv.count(20, 30));

  deletion_vector other(longs{1, 5});
  deletion_vector copy = dv.copy();
  CHECK(copy == dv);
  copy |= other;
  CHECK(copy != dv && copy.contains(5));
  copy -= other;
  CHECK(!copy.contains(1) && dv.contains(1));
  copy.run_length_encode();
  CHECK(thrown([&] { dv.set(-1); }) == DV_INVALID_ARGUMENT);
}

static void test_masks() {
  deletion_vector dv(longs{1, 8});
  CHECK_VECTOR(dv.keep_mask(0, 10), octets{0xFD, 0x02});
  CHECK_VECTOR(dv.delete_mask(0, 10), octets{0x02, 0x01});
  CHECK_VECTOR(dv.keep_bytes(0, 3), octets{1, 0, 1});
  CHECK_VECTOR(dv.keep_indices(7, 3), std::vector<std::uint32_t>{0, 2});
  CHECK(dv.keep_indices(1, 1).empty() && dv.keep_mask(0, 0).empty());
  CHECK(thrown([&] { dv.keep_mask(0, -1); }) == DV_INVALID_ARGUMENT);
  CHECK(thrown([&] { dv.keep_indices(-1, 5); }) == DV_INVALID_ARGUMENT);
  libdv::bytes blob = dv.serialize();
  CHECK_VECTOR(libdv::blob_keep_mask(blob, 0, 10, 2), octets{0xFD, 0x02});
  CHECK_VECTOR(libdv::blob_positions(blob), longs{1, 8});
  CHECK(libdv::blob_positions(deletion_vector().serialize()).empty());
  CHECK(thrown([&] { libdv::blob_positions(blob, 3); }) == DV_MISMATCH);
  CHECK(libdv::blob_from_positions({8, 1, 8}).str() == blob.str());
  CHECK(libdv::blob_from_positions(longs{1, 8}).str() == blob.str());
  CHECK(libdv::blob_from_positions({}).str() == deletion_vector().serialize().str());
  CHECK(thrown([&] { libdv::blob_from_positions({1, -1}); }) == DV_INVALID_ARGUMENT);
}

static void test_ownership() {
  deletion_vector a(longs{1});
  dv_t *handle = a.get();
  deletion_vector b(std::move(a));
  CHECK(b.get() == handle);
  deletion_vector c;
  c = std::move(b);
  CHECK(c.get() == handle && dv_live_handles() == 1);
  deletion_vector d(c.release());
  CHECK(d.get() == handle && c.get() == nullptr);
  libdv::bytes blob = d.serialize(), moved = std::move(blob);
  CHECK(blob.data() == nullptr && moved.size() > 20 && moved.end() - moved.begin() == (long)moved.size());
  std::string text = moved.str(); /* a std::string is bytes too */
  CHECK(deletion_vector::deserialize(text, 1) == d);
  CHECK(deletion_vector::view(moved) == d);
  CHECK(deletion_vector::deserialize_bitmap(d.serialize_bitmap()) == d);
  CHECK(thrown([&] { deletion_vector::deserialize({moved.data(), moved.size() - 1}); }) == DV_CORRUPT);
}

static octets octets_of(const libdv::input<std::uint8_t> &mask) {
  return octets(mask.data(), mask.data() + mask.size());
}

/* Masks of many blobs: {1, 3} and {5} are deleted. */
static void test_keep_masks(const libdv::puffin_file &puffin) {
  libdv::mask_list masks = puffin.keep_masks({4, 9});
  CHECK_INT(2, masks.size());
  CHECK_VECTOR(octets_of(masks[0]), octets{0x05});
  CHECK_VECTOR(octets_of(masks[1]), octets{0xDF, 0x01});
  masks = puffin.keep_masks({1, 0, 0, 1}, {6, 0, 600, 3});
  CHECK_VECTOR(octets_of(masks[0]), octets{0x1F});
  CHECK_INT(0, masks[1].size());
  CHECK_INT(75, masks[2].size());
  CHECK_VECTOR(octets_of(masks[3]), octets{0x07});
  for (std::size_t i = 0; i < masks.size(); i++) {
    CHECK_INT(0, reinterpret_cast<std::uintptr_t>(masks[i].data()) % 64);
    for (std::size_t at = masks[i].size(); at % 64 != 0; at++) CHECK_INT(0, masks[i].data()[at]);
  }
  libdv::mask_list moved = std::move(masks);
  CHECK_VECTOR(octets_of(moved[0]), octets{0x1F});
  CHECK_INT(0, puffin.keep_masks({}).size());
  CHECK_INT(0, puffin.keep_masks({}, {}).size());
  CHECK(thrown([&] { puffin.keep_masks({1, 0}, {4}); }) == DV_INVALID_ARGUMENT);
  CHECK(thrown([&] { puffin.keep_masks({2}, {4}); }) == DV_INVALID_ARGUMENT);
  CHECK(thrown([&] { puffin.keep_masks({4, -1}); }) == DV_INVALID_ARGUMENT);
  CHECK(thrown([&] { puffin.keep_masks({4, 4, 4}); }) == DV_INVALID_ARGUMENT);
  bool refused = false;
  try {
    puffin.keep_masks(std::vector<std::size_t>(20), longs(20, INT64_MAX));
  } catch (const std::bad_alloc &) {
    refused = true;
  }
  CHECK(refused);
}

static void test_puffin() {
  libdv::writer writer;
  libdv::sink sink = libdv::sink::memory();
  writer.add("a", {3, 1});
  writer.load("b", deletion_vector(longs{5}));
  CHECK(thrown([&] { writer.add("c", {1}, 9); }) == DV_INVALID_ARGUMENT);
  std::string entries = writer.flush(sink, "x.puffin");
  CHECK(entries.find("\"record-count\":2") != std::string::npos);
  libdv::bytes file = sink.take();
  CHECK(thrown([&] { sink.take(); }) == DV_STATE);

  libdv::source source = libdv::source::memory(file);
  libdv::puffin_file puffin(source);
  CHECK_INT(2, puffin.size());
  CHECK(std::string(puffin[1].referenced_data_file) == "b");
  CHECK(puffin.footer_json().find("deletion-vector-v1") != std::string::npos);
  CHECK_VECTOR(puffin.read(0).positions(), longs{1, 3});
  test_keep_masks(puffin);
  libdv::manifest_entry entry = {puffin[1].offset, puffin[1].length, 1, "b"};
  std::uint32_t warnings = 9;
  CHECK_VECTOR(puffin.read(entry, &warnings).positions(), longs{5});
  CHECK_INT(0, warnings);
  CHECK_VECTOR(libdv::read(source, entry).positions(), longs{5});
  CHECK_VECTOR(libdv::read_range(source, entry.content_offset, entry.content_size).positions(), longs{5});
  CHECK(libdv::inspect(source).find("\"format\":\"puffin\"") != std::string::npos);
  CHECK(thrown([&] { libdv::inspect(source, "zip"); }) == DV_INVALID_ARGUMENT);
  entry.record_count = 2;
  CHECK(thrown([&] { libdv::read(source, entry); }) == DV_MISMATCH);
  entry.referenced_data_file.push_back('\0'); /* no C string says that */
  CHECK(thrown([&] { libdv::read(source, entry); }) == DV_INVALID_ARGUMENT);
  CHECK(thrown([&] { puffin[2]; }) == DV_INVALID_ARGUMENT);
  CHECK(thrown([&] { libdv::writer("{"); }) == DV_INVALID_ARGUMENT);
}

static void test_delta() {
  deletion_vector dv(longs{3, 4, 7, 11, 18, 29});
  libdv::sink sink = libdv::sink::memory();
  libdv::delta::writer writer(sink);
  dv_delta_result at = writer.write(dv);
  writer.finalize();
  libdv::bytes file = sink.take();
  libdv::source source = libdv::source::memory(file);
  CHECK(libdv::delta::read(source, at.offset, at.size_in_bytes, at.cardinality) == dv);
  CHECK(libdv::delta::read(source) == dv);
  libdv::delta::inline_vector text = libdv::delta::inline_encode(dv);
  CHECK_INT(44, text.size_in_bytes);
  CHECK(libdv::delta::inline_decode(text.text, 44, 6) == dv);
  std::string json = libdv::delta::descriptor("ab/deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin", at);
  CHECK(libdv::delta::descriptor_unique_id(json) == "uab^-aqEH.-t@S}K{vb[*k^@1");
  CHECK(libdv::delta::descriptor_path(json) == "ab/deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin");
  CHECK(libdv::delta::descriptor_read(source, json) == dv);
  CHECK(libdv::delta::descriptor_read(libdv::delta::inline_descriptor(dv)) == dv);
}

static void test_mumbling() {
  deletion_vector dv(longs{0, 255, 256});
  libdv::bytes data = libdv::mumbling_bitmap::encode(dv);
  libdv::mumbling_bitmap bitmap(data);
  bitmap.validate();
  CHECK_INT(3, bitmap.cardinality());
  CHECK(bitmap.contains(255) && !bitmap.contains(1));
  CHECK_VECTOR(bitmap.contains({1, 256}), octets{0, 1});
  CHECK_VECTOR(bitmap.positions(), std::vector<std::int32_t>{0, 255, 256});
  CHECK_VECTOR(bitmap.keep_mask(250, 10), octets{0x9F, 0x03});
  CHECK_BYTES(data.data(), data.size(), bitmap.buffer().data(), bitmap.buffer().size());
  CHECK(bitmap.to_vector() == dv);
  CHECK(thrown([&] { libdv::mumbling_bitmap(octets{9, 9}); }) == DV_CORRUPT);
  const octets values = {6, 34, 8, 7};
  std::size_t consumed = 0;
  libdv::bytes coded = libdv::pfor::encode(values);
  CHECK_VECTOR(libdv::pfor::decode(coded, 4, &consumed), values);
  CHECK(consumed == coded.size() && libdv::pfor::estimate(4) >= consumed);
}

/* What a callback throws comes out of the call, as it was; the next call is not told of it. */
static void test_exceptions_through_callbacks() {
  struct own {
    int code;
  };
  int code = 0;
  libdv::source source =
      libdv::source::callbacks(100, [](std::int64_t, std::uint8_t *, std::size_t) -> std::int64_t { throw own{42}; });
  try {
    libdv::read_range(source, 0, 42);
  } catch (const own &e) {
    code = e.code;
  }
  CHECK_INT(42, code);
  CHECK(thrown([&] { deletion_vector::deserialize(octets{1}); }) == DV_CORRUPT);

  libdv::writer writer;
  writer.add("a", {1});
  int drops = 0, commits = 0;
  for (int failing = 0; failing < 3; failing++) {
    std::string caught;
    try {
      libdv::sink sink = libdv::sink::callbacks(
          [&](const std::uint8_t *, std::size_t) {
            if (failing == 0) throw std::runtime_error("write");
          },
          [&](bool success) {
            success ? commits++ : drops++;
            deletion_vector unrelated(longs{1}); /* calls of its own do not lose the first exception */
            if (failing == 1 && success) throw std::runtime_error("finish");
          });
      writer.flush(sink, "x");
    } catch (const std::runtime_error &e) {
      caught = e.what();
    }
    CHECK(caught == (failing == 0 ? "write" : failing == 1 ? "finish" : ""));
  }
  CHECK_INT(1, drops);
  CHECK_INT(2, commits);
}

/* Of what a write and the drop after it throw, the first is told. */
static void test_first_exception() {
  int drops = 0;
  libdv::sink sink =
      libdv::sink::callbacks([](const std::uint8_t *, std::size_t) { throw std::runtime_error("write"); },
                             [&](bool) {
                               drops++;
                               throw std::runtime_error("drop");
                             });
  libdv::writer writer;
  writer.add("a", {1});
  std::string caught;
  try {
    writer.flush(sink, "x");
  } catch (const std::runtime_error &e) {
    caught = e.what();
  }
  CHECK(caught == "write");
  CHECK_INT(1, drops);
}

/* What a callback threw into a plain call of dv.h is not told by a later call of something else. */
static void test_exceptions_of_plain_calls() {
  libdv::source source = libdv::source::callbacks(
      100, [](std::int64_t, std::uint8_t *, std::size_t) -> std::int64_t { throw std::runtime_error("stale"); });
  auto leave_one = [&] {
    dv_t *dv = nullptr;
    CHECK_INT(DV_IO, dv_read_range(source.get(), 0, 42, DV_UNKNOWN, &dv));
  };
  deletion_vector dv;
  leave_one();
  CHECK(thrown([&] { dv.set(-1); }) == DV_INVALID_ARGUMENT);
  leave_one();
  CHECK(thrown([&] { dv.keep_mask(0, -1); }) == DV_INVALID_ARGUMENT);
  leave_one();
  CHECK(thrown([&] { dv.keep_indices(-1, 5); }) == DV_INVALID_ARGUMENT);
  leave_one();
  CHECK(thrown([&] { libdv::blob_positions(octets{1}); }) == DV_CORRUPT);
  leave_one();
  CHECK(thrown([&] { libdv::blob_from_positions({-1}); }) == DV_INVALID_ARGUMENT);
  leave_one();
  CHECK(thrown([&] { libdv::source::path("/nowhere/at/all"); }) == DV_IO);
}

/* Braces are lists, also empty ones: none of them is the position 0. */
static void test_braces() {
  deletion_vector dv({});
  dv.set({});
  CHECK(dv.empty());
  dv.set({7});
  dv.set({1, 2});
  CHECK_VECTOR(dv.positions(), (longs{1, 2, 7}));
  CHECK(dv.contains({}).empty());
  CHECK_VECTOR(dv.contains({7, 8}), (octets{1, 0}));
  CHECK_VECTOR(deletion_vector{3}.positions(), (longs{3}));
  libdv::mumbling_bitmap bitmap(libdv::mumbling_bitmap::encode(dv));
  CHECK(bitmap.contains({}).empty());
  CHECK_VECTOR(bitmap.contains({2, 3}), (octets{1, 0}));
}

/* An assignment drops the old file while its functions are still there. */
static void test_assigned_sink() {
  int drops = 0;
  libdv::sink sink = libdv::sink::callbacks([](const std::uint8_t *, std::size_t) {}, [&](bool) { drops++; });
  sink = libdv::sink::memory();
  CHECK_INT(1, drops);
  libdv::source source = libdv::source::callbacks(0, [](std::int64_t, std::uint8_t *, std::size_t) { return 0; });
  source = libdv::source::memory({});
  CHECK(thrown([&] { libdv::source::path("/nowhere/at/all"); }) == DV_IO);
  CHECK(thrown([&] { libdv::sink::path("/nowhere/at/all"); }) == DV_IO);
}

int main() {
  test_vector();
  test_masks();
  test_ownership();
  test_puffin();
  test_delta();
  test_mumbling();
  test_exceptions_through_callbacks();
  test_first_exception();
  test_exceptions_of_plain_calls();
  test_braces();
  test_assigned_sink();
  return finish("hpp");
}
