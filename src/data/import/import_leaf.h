// Imports sets of the LEAF benchmark: FEMNIST, Shakespeare, Sent140, Synthetic.
//
//   ImportLeaf({.inputs = {"femnist/data/train"}, .out = "femnist"});
//
// Inputs are .json files (or .json.gz), folders of them, or a folder that holds
// the folders train and test. When the names of all files say train or test, as
// LEAF's do, the set has a column `split`, and a user's examples of both are
// put together.
//
// What x holds decides the kind:
//   784 numbers       images of 28 x 28 (FEMNIST)
//   other numbers     features (Synthetic)
//   a string          text; y is the class (Shakespeare: the next character)
//   several strings   text, the one at `text_index` (Sent140: the tweet)
// FEMNIST draws dark on a background of 1.0, so its images are inverted: here
// 0 is the background. Labels that are numbers up to 61 are then named 0 … 9
// A … Z a … z; other labels keep their own names.
// File names of images (CelebA) are not followed.

#pragma once

#include "data/dataset.h"
#include "data/import/import.h"

namespace sfumato::data {

enum class LeafForm { kAuto, kImages, kFeatures };

struct LeafOptions {
  // What numbers are. kAuto: images when there are 784 of them.
  LeafForm form = LeafForm::kAuto;
  // The images' shape; their values lie in [0, 1].
  ImageShape image = {.height = 28, .width = 28, .channels = 1};
  // Whether 1.0 is the background and 0.0 full ink, as in FEMNIST.
  bool invert = true;
  // Which string of several is the text.
  int text_index = 4;
};

// Throws BadInput as ParseLeaf does, and when the files hold examples of
// different kinds or lengths or a pixel is outside [0, 1]; Unsupported when
// examples are file names.
DatasetSummary ImportLeaf(const ImportRequest& request,
                          const LeafOptions& options = {});

}  // namespace sfumato::data
