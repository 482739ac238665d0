// samples/: what a run's generator drew, as pictures to look at and as numbers.
//
//   WriteSamples(run.samples_path(), drawn, metadata);
//   for (const base::Path& path : SamplesIn(run.samples_path())) {
//     ReadSamples(path);
//   }
//
// A set is round_000120.safetensors (`images`, u8 [image, height, width,
// channel]; `labels`, i32, where classes were asked for) beside
// round_000120.png, a grid of its first images. Only what a released model drew
// is in it.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/image.h"
#include "base/safetensors.h"

namespace sfumato::runs {

struct ImageSamples {
  std::int64_t round = 0;  // rounds that the model was trained
  int height = 0;
  int width = 0;
  int channels = 1;
  std::vector<std::uint8_t> pixels = {};  // image after image
  std::vector<std::int32_t> labels = {};  // empty: none were asked for

  std::size_t image_size() const {
    return static_cast<std::size_t>(height) * width * channels;
  }
  std::size_t count() const {
    return image_size() == 0 ? 0 : pixels.size() / image_size();
  }
};

struct SampleGrid {
  std::size_t first = 0;
  int columns = 6;
  int rows = 6;
  int scale = 3;
};
// REQUIRES: at least one image from `first` on.
base::Image GridOf(const ImageSamples& samples, const SampleGrid& grid = {});

// As they are written: `images`, and `labels` where there are any. They point
// into `samples`.
std::vector<base::TensorOut> TensorsOf(const ImageSamples& samples);
// One image. REQUIRES: i < count().
base::Image ImageAt(const ImageSamples& samples, std::size_t i);

// One set as a file of any name, whole or absent. Throws Unavailable.
void WriteSampleFile(const base::Path& path, const ImageSamples& samples,
                     const base::Metadata& metadata);

// Whole or absent, both files; `metadata` says what the model cost. Throws
// Unavailable.
void WriteSamples(const base::Path& folder, const ImageSamples& samples,
                  const base::Metadata& metadata);

// Sets in `folder`, by round; none when it is not there.
std::vector<base::Path> SamplesIn(const base::Path& folder,
                                  std::string_view ending = ".safetensors");

// Throws Corrupt when it is not a set of images.
ImageSamples ReadSamples(const base::Path& path);

}  // namespace sfumato::runs
