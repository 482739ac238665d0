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
// Source: Cohen et al. 2017, "EMNIST: an extension of MNIST to handwritten
// letters".

#pragma once

#include "data/import/import.h"

namespace sfumato::data {

enum class Transpose { kAuto, kAlways, kNever };

struct IdxOptions {
  // Whether images are turned about their diagonal; kAuto: those of EMNIST.
  Transpose transpose = Transpose::kAuto;
};

// Throws BadInput when a file is damaged, images and labels do not belong
// together, or the folder holds the files of several sets.
DatasetSummary ImportIdx(const ImportRequest& request,
                         const IdxOptions& options = {});

}  // namespace sfumato::data
