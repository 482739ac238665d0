// Drawn images as a set for others to use: a picture, tensors, a card that says
// what they are, and on request files for NumPy and a folder of images.
//
//   WriteSampleSet("run/samples", {.samples = drawn, .label = metadata,
//                                  .npz = true});
//
//   grid.png             the first of them
//   samples.safetensors  all, with the model's label as metadata (samples.h)
//   README.md            the card: which model, at what privacy
//   samples.npz          `images` u8 [image, height, width, channel], `labels`
//   images/              000000.png …, and metadata.jsonl with their classes

#pragma once

#include <string>
#include <vector>

#include "base/file.h"
#include "base/safetensors.h"
#include "runs/samples.h"

namespace sfumato::runs {

struct SampleSet {
  ImageSamples samples = {};
  base::Metadata label = {};              // the checkpoint's
  std::vector<std::string> classes = {};  // names, where they are known
  std::string name = "";                  // of the run, for the card
  std::uint64_t seed = 1;                 // that they were drawn with
  bool npz = false;
  bool images = false;
};

// The part of a card that the model's label gives: its privacy in a sentence
// and a table. `what` is what was drawn: "these images".
std::string LabelCard(const base::Metadata& label, std::int64_t round,
                      const std::string& what);

// In Markdown.
std::string CardOf(const SampleSet& set);

// Writes the files into `folder`, made when missing; those of an earlier set
// are replaced. Returns their names. Throws Unavailable. REQUIRES: at least one
// image.
std::vector<std::string> WriteSampleSet(const base::Path& folder,
                                        const SampleSet& set);

}  // namespace sfumato::runs
