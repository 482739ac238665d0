// What tests of this room share: users whose examples are points, and an
// algorithm that moves towards them, so that every update can be computed by
// hand. Included by tests only.
//
// A step moves the parameters by `rate` of the way to the mean of the batch:
// p ← p + rate (mean - p). With rate 1 and one batch an update is the mean of
// the user's points less the broadcast.

#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/safetensors.h"
#include "fed/algorithm.h"
#include "fed/release/release_testing.h"
#include "models/batch.h"

namespace sfumato::fed {

using Point = std::vector<float>;

// users → points → numbers. Labels are all 0.
class PointExamples : public models::Examples {
 public:
  PointExamples(std::int64_t dimension, std::vector<std::vector<Point>> users)
      : dimension_(dimension), users_(std::move(users)) {}

  models::Shape shape() const override { return {1, 1, dimension_}; }
  std::int64_t classes() const override { return 1; }
  std::int64_t users() const override {
    return static_cast<std::int64_t>(users_.size());
  }
  std::int64_t user_size(std::int64_t user) const override {
    return static_cast<std::int64_t>(users_.at(At(user)).size());
  }
  std::int64_t Read(std::int64_t user, std::int64_t i,
                    std::span<float> values) const override {
    const Point& point = users_.at(At(user)).at(At(i));
    std::copy(point.begin(), point.end(), values.begin());
    return 0;
  }

 private:
  static std::size_t At(std::int64_t i) { return static_cast<std::size_t>(i); }
  std::int64_t dimension_;
  std::vector<std::vector<Point>> users_;
};

class MovingTrainer : public LaneTrainer {
 public:
  MovingTrainer(double rate, bool throws) : rate_(rate), throws_(throws) {}
  void Begin() override { steps_ = 0; }
  void Step(const at::Tensor& params, const models::Batch& batch) override {
    if (throws_) throw Unavailable("no such kernel", "step", "buy one");
    // [lane, batch, 1, 1, d] weighted: [lane, d]
    const at::Tensor weights = batch.weights.unsqueeze(-1);  // [lane, batch, 1]
    const at::Tensor mean = (batch.inputs.flatten(2) * weights).sum(1);
    const at::Tensor busy = batch.weights.sum(1, true);  // 1, or 0 when done
    params.add_((mean - params * busy) * rate_);
    ++steps_;
  }
  // The number of steps, as a loss that can be computed by hand.
  at::Tensor losses() const override {
    return at::full({1}, static_cast<float>(steps_));
  }

 private:
  double rate_;
  bool throws_;
  std::int64_t steps_ = 0;
};

class MovingAlgorithm : public Algorithm {
 public:
  explicit MovingAlgorithm(const Point& start, double rate = 1)
      : params_(at::tensor(start)), rate_(rate) {}

  bool throws = false;  // in every step
  std::function<void()> before_absorb = [] {};
  int absorbed = 0;

  Point params() const {
    return {params_.data_ptr<float>(),
            params_.data_ptr<float>() + params_.numel()};
  }
  at::Tensor Broadcast() const override { return params_; }
  std::unique_ptr<LaneTrainer> MakeTrainer(at::Device, std::int64_t,
                                           std::int64_t) const override {
    return std::make_unique<MovingTrainer>(rate_, throws);
  }
  void Absorb(const dp::Released<std::vector<float>>& mean) override {
    before_absorb();
    ++absorbed;
    params_ = params_ + at::tensor(mean.value());
  }
  params::NamedTensors State() const override {
    return {{"params", params_.clone()}};
  }
  void Restore(const base::SafetensorsFile& file) override {
    const std::span<const float> values = file.Get<float>("params");
    params_ = at::tensor(Point(values.begin(), values.end()));
  }

 private:
  at::Tensor params_;
  double rate_;
};

class FolderTest : public MemoryFolderTest {
 protected:
  // What a checkpoint holds, on disk and back.
  base::SafetensorsFile Saved(const params::NamedTensors& state) const {
    const base::Path path = folder_ / "state.safetensors";
    base::SafetensorsWriter writer(path);
    for (const auto& [name, tensor] : state) {
      std::vector<std::uint64_t> row;
      for (std::int64_t i = 1; i < tensor.dim(); ++i) {
        row.push_back(static_cast<std::uint64_t>(tensor.size(i)));
      }
      writer.Add(name, base::DType::kF32, row)
          .Append(
              std::span<const float>(tensor.data_ptr<float>(),
                                     static_cast<std::size_t>(tensor.numel())));
    }
    writer.Finish();
    return base::SafetensorsFile(path);
  }
};

}  // namespace sfumato::fed
