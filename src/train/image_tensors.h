// Drawn images as bytes and as tensors.

#pragma once

#include <ATen/ATen.h>

#include "runs/samples.h"

namespace sfumato::train {

// As eval takes them: [image, height, width, channel], -1 … 1; and back.
at::Tensor ImagesOf(const runs::ImageSamples& samples);
runs::ImageSamples SamplesOf(const at::Tensor& images);

}  // namespace sfumato::train
