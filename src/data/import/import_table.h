// Imports rows of numbers with a label: CSV or NumPy arrays.
//
//   ImportTable({.inputs = {"iris.csv"}, .out = "iris"},
//               {.label_column = "species"});
//   ImportTable({.inputs = {"zip.train.csv.gz", "zip.test.csv.gz"},
//                .out = "usps"},
//               {.image = {.height = 16, .width = 16}, .low = -1, .high = 1});
//   ImportTable({.inputs = {"X.npy", "y.npy"}, .out = "set"});
//
// Inputs are files (.csv, .tsv, .npy, each also gzip-compressed) or folders of
// them. When the names of all files say train or test, the set has a column
// `split`. Without a user column the set is a pool of one user, "pool".
//
// Labels that are whole numbers from 0 on are kept and their classes named by
// them; other labels are class names, numbered in sorted order. An empty label
// is -1.
//
// NPY: a file whose name has the word y, label(s), target(s) or class(es) holds
// labels [n], the other features [n, …], of which all but the first dimension
// are laid end to end. Columns cannot be named there.

#pragma once

#include <string>

#include "data/dataset.h"
#include "data/import/import.h"

namespace sfumato::data {

enum class CsvHeader { kAuto, kPresent, kAbsent };

struct TableOptions {
  // Which column is the label: a name, or a number from 0 on (-1 is the last),
  // or "none". Empty: the column called label, class, target or y, else the
  // first.
  std::string label_column = "";
  // Which column says whose row it is, in the same way. Empty: none.
  std::string user_column = "";
  // Whether the first row names the columns. kAuto: when it has no number in
  // it, or one of its fields is a name that a label or user column would have.
  CsvHeader header = CsvHeader::kAuto;
  // ',', ';', '\t', or ' ' for any white space. 0: found from the first line.
  char delimiter = 0;
  // A height and width make each row an image, [height, width, channel].
  ImageShape image = {};
  // For images: the value of the background and that of full ink or light.
  double low = 0;
  double high = 255;
};

// Throws BadInput with file and line (CSV) or row (NPY) when a value is
// missing, not a number, not finite or outside low … high, when rows differ in
// length, when a named column is not there, or when features and labels do not
// match.
DatasetSummary ImportTable(const ImportRequest& request,
                           const TableOptions& options = {});

}  // namespace sfumato::data
