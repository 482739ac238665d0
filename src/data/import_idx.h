// Imports IDX files: MNIST, EMNIST, Fashion-MNIST and what is named like them.
//
//   ImportIdx({.inputs = {"mnist"}, .out = "mnist_set"});
//
// Inputs are a folder, or the files themselves, plain or gzip-compressed:
//   train-images-idx3-ubyte    t10k-images-idx3-ubyte     (also "….idx3-ubyte")
//   train-labels-idx1-ubyte    t10k-labels-idx1-ubyte
//   emnist-byclass-train-images-idx3-ubyte, …   emnist-byclass-mapping.txt
// Train and test images become one set with the column `split`. Nobody owns an
// image: the set is a pool of one user, "pool", to be split among users.
//
// Classes are named "0", "1", … up to the largest label. A mapping file, when
// there, names them by their characters instead and numbers them in its order
// (so that the 1 to 26 of EMNIST's letters become 0 to 25).
//
// EMNIST stores its images column by column; those of files whose name begins
// with "emnist" are transposed.
//
// Source: http://yann.lecun.com/exdb/mnist (the format); Cohen et al. 2017,
// "EMNIST: an extension of MNIST to handwritten letters".

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/import.h"

namespace sfumato::data {

enum class Transpose { kAuto, kAlways, kNever };

struct IdxOptions {
  // Whether images are turned about their diagonal; kAuto: those of EMNIST.
  Transpose transpose = Transpose::kAuto;
};

// Throws BadInput when a file is damaged, images and labels do not belong
// together, or the folder holds the files of several sets.
ImportSummary ImportIdx(const ImportRequest& request,
                        const IdxOptions& options = {});

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
