// A user's images as the voter takes them: rows of numbers.
//
//   const ImageReader reader(shape, ClassTemplates());
//   const at::Tensor points = reader.Read(images);   // [image, reader.size()]

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <span>
#include <utility>

#include "census/voter/class_templates.h"
#include "census/voter/image_families.h"
#include "census/voter/image_points.h"
#include "census/voter/reference_users.h"

namespace sfumato::census {

class ImageReader {
 public:
  ImageReader(const data::ImageShape& shape, ClassTemplates templates)
      : shape_(shape), points_(shape), templates_(std::move(templates)) {}

  const data::ImageShape& shape() const { return shape_; }
  const ClassTemplates& templates() const { return templates_; }
  std::int64_t size() const { return points_.size() + templates_.size(); }
  at::Tensor Read(const ImageSet& set) const;
  // As they differ from the mean of the user's images before.
  at::Tensor Read(const ImageSet& now, const ImageSet& before) const {
    return Read(now) - Read(before).mean(0);
  }

 private:
  data::ImageShape shape_;
  ImagePoints points_;
  ClassTemplates templates_;
};

// The images of these rows of a set.
ImageSet ImagesOf(const data::FederatedDataset& set,
                  std::span<const ReferenceRow> rows);

}  // namespace sfumato::census
