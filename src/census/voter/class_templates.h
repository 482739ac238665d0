// What examples of each class look like, and would look like if they were
// turned, mirrored, moved …: how a label says more about an image.
//
//   const ClassTemplates templates(reference, rows, image_points, pool);
//   templates.Write(points_of_images, labels, out);
//
// `out` is [image, size()]. In the directions in which references differ, each
// class has a mean, and one for every way in which its images may be placed. A
// labelled image is compared with those of its own class: the first number is
// how well it fits as it should be, the second how much better it fits another
// class, the others how much better it fits its own in each other way. The last
// three are again how much better it fits another class, but placed as most of
// the user's images seem to be: by distance, by direction, and by direction
// from the middle of the user's own images. So labels can be read beside
// another damage: what it does to all images alike (a covered part, less
// contrast) cancels in the last. An image without a label has zeros.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <span>
#include <vector>

#include "base/safetensors.h"
#include "census/voter/image_families.h"
#include "census/voter/image_points.h"
#include "census/voter/reference_users.h"
#include "fed/worker_pool.h"
#include "params/layout.h"

namespace sfumato::census {

class ClassTemplates {
 public:
  // Without labels.
  ClassTemplates() = default;
  // Of the rows of a reference set whose classes have names.
  ClassTemplates(const data::FederatedDataset& reference,
                 const std::vector<ReferenceRow>& rows,
                 const ImagePoints& points, fed::WorkerPool& pool);

  bool labelled() const { return means_.defined(); }
  std::int64_t size() const { return labelled() ? means_.size(0) + 4 : 0; }
  // Of one user's images: points [image, number].
  void Write(const at::Tensor& points, std::span<const std::int32_t> labels,
             at::Tensor out) const;
  params::NamedTensors State() const;
  // Throws Corrupt for others than of so many classes, and points that begin
  // with so many numbers of what is where.
  void Restore(const base::SafetensorsFile& file, std::int64_t classes,
               std::int64_t placed);

 private:
  std::int64_t classes() const { return means_.size(1); }
  // [image, way, class]: the cosine between how a user's image and a class's
  // mean lie from the middle of the user's images, and of their classes.
  at::Tensor Apart(const at::Tensor& at,
                   std::span<const std::int32_t> labels) const;

  at::Tensor centre_;      // [number]
  at::Tensor directions_;  // [number, direction], in deviations within a class
  at::Tensor means_;       // [way, class, direction]; way 0: as it should be
};

}  // namespace sfumato::census
