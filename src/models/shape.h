// Shapes of images and windows, without Torch, for kernels.

#pragma once

#include <cstdint>

namespace sfumato::models {

struct Shape {
  std::int64_t height = 1;
  std::int64_t width = 1;
  std::int64_t channels = 1;
  std::int64_t size() const { return height * width * channels; }
  bool operator==(const Shape&) const = default;
};

// A convolution's geometry.
struct Window {
  Shape in = {};
  Shape out = {};
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t pad = 0;  // above and to the left
};

// A dropout's random numbers: a function of the lane's key, the step, the layer
// and the place, whatever machine draws them.
struct DropoutDraw {
  double rate = 0.5;
  std::int64_t step = 0;
  std::int64_t layer = 0;
};

// Names other random numbers of a lane in the same way.
struct RandomDraw {
  std::int64_t step = 0;
  std::int64_t layer = 0;
};

}  // namespace sfumato::models
