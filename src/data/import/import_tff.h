// Imports the HDF5 files in which TensorFlow Federated publishes Federated
// EMNIST and Stack Overflow: a group `examples/<client>` with one dataset per
// feature, each with a row per example.
//
//   data::ImportTffEmnist({.inputs = {"fed_emnist/"}, .out = "femnist"});
//
// `inputs` are files, or folders of .h5 files. Several files become one set
// with a column `split`, named after each (train, test, held_out); a client in
// more than one of them is one user. Clients are read one by one. Throws
// BadInput that names file and object when a file is no HDF5, damaged, or of
// another shape; Unsupported without libhdf5.

#pragma once

#include "data/import/import.h"

namespace sfumato::data {

// `pixels` float [n, 28, 28], 1 the paper and 0 the ink, become images with a
// background of 0; `label` int [n] is one of 10 digits or 62 characters.
DatasetSummary ImportTffEmnist(const ImportRequest& request);

// `tokens` strings [n] become sentences of tokens; `type` strings [n] (question
// or answer) a column. Empty sentences are skipped and counted.
DatasetSummary ImportTffStackOverflow(const ImportRequest& request);

}  // namespace sfumato::data
