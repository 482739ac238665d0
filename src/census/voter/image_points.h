// An image as numbers in which a broken pipeline shows: what a voter reads.
//
//   const ImagePoints points(shape);
//   std::vector<float> row(points.size());
//   points.Write(ImageView{shape, pixels}, row);
//
// Small pixels, means of rows and columns, edge orientations in cells, shares
// of levels, and figures of grain, dead lines and colour. Nothing is fitted to
// data, so any image of the shape has them.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/dataset.h"
#include "data/transform/image_bugs.h"

namespace sfumato::census {

class ImagePoints {
 public:
  explicit ImagePoints(const data::ImageShape& shape);
  std::int64_t size() const { return size_; }
  // The first of them, which say what is where: small pixels, rows and columns,
  // edges.
  std::int64_t placed() const { return placed_; }
  // REQUIRES: the image has the shape, `out` has size() numbers.
  void Write(const data::ImageView& image, std::span<float> out) const;

  // Places first … last - 1 of a side.
  struct Stretch {
    int first = 0;
    int last = 0;
  };
  // How a side is cut into parts, which is the same for every image.
  struct Cuts {
    std::vector<Stretch> small;  // of the small image
    std::vector<Stretch> lines;  // of the means of rows or columns
    std::vector<Stretch> cells;  // of edges, which lie between two places
  };

 private:
  data::ImageShape shape_;
  Cuts rows_;
  Cuts columns_;
  std::int64_t size_ = 0;
  std::int64_t placed_ = 0;
};

}  // namespace sfumato::census
