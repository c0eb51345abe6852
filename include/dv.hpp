/*
 * dv.hpp - libdv for C++11 and later, header only. What each call means is said in dv.h; here is who owns what.
 *
 *   - Objects own their handle, can be moved and not copied by accident (deletion_vector::copy makes a copy). A
 *     moved-from object may be destroyed or assigned to, nothing else.
 *   - A failure is a libdv::error with its status and text. An exception that leaves a caller's callback comes out of
 *     the call that ran it, as it was.
 *   - Inputs are anything contiguous: an array, a std::vector, std::string, std::array or std::span, a pointer and a
 *     count. Nothing is kept beyond the call, except by deletion_vector::view and source::memory, which borrow.
 *   - Strings are std::string and may not hold a NUL.
 *   - Threads: as in dv.h; destroying or assigning an object while another thread uses it is, as ever in C++, a race.
 *   - A source or sink with callbacks must not be destroyed inside its own callback: its functions would go while they
 *     run.
 *
 *     libdv::source file = libdv::source::path("deletes.puffin");
 *     libdv::deletion_vector dv = libdv::read(file, {4, 44, 2, "s3://lake/t/data.parquet"});
 *     std::vector<std::uint8_t> mask = dv.keep_mask(0, rows);
 */
#ifndef LIBDV_DELETION_VECTORS_HPP
#define LIBDV_DELETION_VECTORS_HPP

#include "dv/core.hpp"
#include "dv/delta.hpp"
#include "dv/mumbling.hpp"
#include "dv/puffin.hpp"
#include "dv/storage.hpp"
#include "dv/vector.hpp"

#endif /* LIBDV_DELETION_VECTORS_HPP */
