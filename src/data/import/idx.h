// Arrays in the IDX format of MNIST, and EMNIST's lists of classes.
//
// An IDX file is two zero bytes, a type, a number of dimensions, the dimensions
// as big-endian 32-bit numbers, and the values.
//
// Source: http://yann.lecun.com/exdb/mnist.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sfumato::data {

// An array of unsigned bytes; `data` views the parsed bytes.
struct IdxArray {
  std::vector<std::uint32_t> dims;
  std::span<const std::uint8_t> data;
};

// Throws BadInput with `where`@offset when `bytes` is not exactly one IDX array
// of unsigned bytes. Nothing is allocated for what the header only promises.
IdxArray ParseIdx(std::string_view bytes, const std::string& where);

// A line of a mapping file: a label, then one or more characters by code.
struct IdxClass {
  std::uint8_t label = 0;
  std::string name;
};

// Throws BadInput with `where`:line.
std::vector<IdxClass> ParseIdxMapping(std::string_view text,
                                      const std::string& where);

}  // namespace sfumato::data
