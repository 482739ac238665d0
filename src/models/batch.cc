#include "models/batch.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/random.h"
#include "fmt/format.h"

namespace sfumato::models {
namespace {

class DatasetExamples : public Examples {
 public:
  DatasetExamples(const data::FederatedDataset& set, PixelRange range,
                  Labels labels)
      : set_(set),
        images_(set.info().kind == data::Kind::kImages),
        labels_(labels) {
    const data::DatasetInfo& info = set.info();
    shape_ = images_ ? Shape{.height = info.image.height,
                             .width = info.image.width,
                             .channels = info.image.channels}
                     : Shape{.channels = info.feature_count};
    for (int i = 0; i < 256; ++i) {
      values_[static_cast<std::size_t>(i)] =
          range.low + (range.high - range.low) * static_cast<float>(i) / 255;
    }
  }

  Shape shape() const override { return shape_; }
  std::int64_t classes() const override {
    return labels_ == Labels::kUnused
               ? 0
               : static_cast<std::int64_t>(set_.info().classes.size());
  }
  std::int64_t users() const override {
    return static_cast<std::int64_t>(set_.users());
  }
  std::int64_t user_size(std::int64_t user) const override {
    return static_cast<std::int64_t>(
        set_.user_size(static_cast<std::size_t>(user)));
  }
  std::int64_t Read(std::int64_t user, std::int64_t i,
                    std::span<float> values) const override {
    const data::Example example =
        set_.user(static_cast<std::size_t>(user))[static_cast<std::size_t>(i)];
    if (images_) {
      for (std::size_t p = 0; p < values.size(); ++p) {
        values[p] = values_[example.pixels[p]];
      }
    } else {
      std::copy(example.features.begin(), example.features.end(),
                values.begin());
    }
    return labels_ == Labels::kUnused ? 0 : example.label;
  }
  bool labelled(std::int64_t user, std::int64_t i) const override {
    return labels_ == Labels::kUnused || set_.user(static_cast<std::size_t>(
                                             user))[static_cast<std::size_t>(i)]
                                                 .label >= 0;
  }

 private:
  const data::FederatedDataset& set_;
  bool images_;
  Labels labels_;
  Shape shape_;
  std::array<float, 256> values_;
};

class Silent : public Examples {
 public:
  explicit Silent(std::unique_ptr<Examples> all) : all_(std::move(all)) {}

  Shape shape() const override { return all_->shape(); }
  std::int64_t classes() const override { return all_->classes(); }
  std::int64_t users() const override { return all_->users(); }
  std::int64_t user_size(std::int64_t user) const override {
    try {
      return all_->user_size(user);
    } catch (const Error&) {
      return 0;
    }
  }
  std::int64_t Read(std::int64_t user, std::int64_t i,
                    std::span<float> values) const override {
    try {
      return all_->Read(user, i, values);
    } catch (const Error&) {
      std::ranges::fill(values, std::numeric_limits<float>::quiet_NaN());
      return 0;
    }
  }
  bool labelled(std::int64_t user, std::int64_t i) const override {
    try {
      return all_->labelled(user, i);
    } catch (const Error&) {
      return true;  // to be read, and to be NaN
    }
  }

 private:
  std::unique_ptr<Examples> all_;
};

class Chosen : public Examples {
 public:
  Chosen(const Examples& all, std::vector<std::int64_t> users)
      : all_(all), users_(std::move(users)) {}

  Shape shape() const override { return all_.shape(); }
  std::int64_t classes() const override { return all_.classes(); }
  std::int64_t users() const override {
    return static_cast<std::int64_t>(users_.size());
  }
  std::int64_t user_size(std::int64_t user) const override {
    return all_.user_size(users_[static_cast<std::size_t>(user)]);
  }
  std::int64_t Read(std::int64_t user, std::int64_t i,
                    std::span<float> values) const override {
    return all_.Read(users_[static_cast<std::size_t>(user)], i, values);
  }
  bool labelled(std::int64_t user, std::int64_t i) const override {
    return all_.labelled(users_[static_cast<std::size_t>(user)], i);
  }

 private:
  const Examples& all_;
  std::vector<std::int64_t> users_;
};

class OwnAndPublic : public Examples {
 public:
  OwnAndPublic(const Examples& own, const Examples& open, std::uint64_t seed)
      : own_(own), open_(open), seed_(seed) {
    for (std::int64_t user = 0; user < open.users(); ++user) {
      ends_.push_back((ends_.empty() ? 0 : ends_.back()) +
                      open.user_size(user));
    }
  }

  std::int64_t public_size() const { return ends_.empty() ? 0 : ends_.back(); }

  Shape shape() const override { return own_.shape(); }
  std::int64_t classes() const override { return 2; }
  std::int64_t users() const override { return own_.users(); }
  std::int64_t user_size(std::int64_t user) const override {
    return 2 * own_.user_size(user);
  }
  std::int64_t Read(std::int64_t user, std::int64_t i,
                    std::span<float> values) const override {
    if (i < own_.user_size(user)) {
      own_.Read(user, i, values);
      return 1;
    }
    base::Rng rng(
        seed_, {base::Key("public example"), static_cast<std::uint64_t>(user),
                static_cast<std::uint64_t>(i)});
    const auto drawn = static_cast<std::int64_t>(
        rng.Below(static_cast<std::uint64_t>(public_size())));
    const auto owner = std::upper_bound(ends_.begin(), ends_.end(), drawn);
    const std::int64_t first = owner == ends_.begin() ? 0 : *(owner - 1);
    open_.Read(owner - ends_.begin(), drawn - first, values);
    return 0;
  }

 private:
  const Examples& own_;
  const Examples& open_;
  std::uint64_t seed_;
  std::vector<std::int64_t> ends_;  // [public user]: examples up to there
};

class RandomImages : public Examples {
 public:
  explicit RandomImages(const SyntheticOptions& options) : options_(options) {}

  Shape shape() const override { return options_.shape; }
  std::int64_t classes() const override { return options_.classes; }
  std::int64_t users() const override { return options_.users; }
  std::int64_t user_size(std::int64_t) const override {
    return options_.user_size;
  }
  std::int64_t Read(std::int64_t user, std::int64_t i,
                    std::span<float> values) const override {
    base::Rng rng(options_.seed,
                  {base::Key("image"), static_cast<std::uint64_t>(user),
                   static_cast<std::uint64_t>(i)});
    const auto label =
        static_cast<std::int64_t>(rng.Below(static_cast<std::uint64_t>(
            std::max<std::int64_t>(1, options_.classes))));
    for (std::size_t p = 0; p < values.size(); p += 8) {
      std::uint64_t bits = rng();
      const std::size_t end = std::min(values.size(), p + 8);
      for (std::size_t q = p; q < end; ++q, bits >>= 8) {
        values[q] = static_cast<float>(bits & 255) / 255;
      }
    }
    return label;
  }

 private:
  SyntheticOptions options_;
};

}  // namespace

std::int64_t ClientKey(std::uint64_t seed, std::uint64_t round,
                       std::uint64_t user) {
  return static_cast<std::int64_t>(
      base::Rng(seed, {base::Key("client"), round, user})());
}

std::unique_ptr<Examples> ExamplesOf(const data::FederatedDataset& set,
                                     PixelRange range, Labels labels) {
  const data::DatasetInfo& info = set.info();
  if (info.kind == data::Kind::kText) {
    throw BadInput("a classifier of text", info.name,
                   "give a set of images or features");
  }
  if (labels == Labels::kNeeded && info.classes.empty()) {
    throw data::NoLabels(info, info.name);
  }
  return std::make_unique<DatasetExamples>(set, range, labels);
}

std::unique_ptr<Examples> SilentExamples(std::unique_ptr<Examples> all) {
  return std::make_unique<Silent>(std::move(all));
}

at::Tensor ToBytes(const at::Tensor& images) {
  return ((images.to(at::kFloat) + 1) * 127.5)
      .round()
      .clamp(0, 255)
      .to(at::kByte)
      .to(at::kCPU)
      .contiguous();
}

at::Tensor FromBytes(const at::Tensor& bytes) {
  return bytes.to(at::kFloat) / 127.5 - 1;
}

std::unique_ptr<Examples> ChosenUsers(const Examples& all,
                                      std::vector<std::int64_t> users) {
  return std::make_unique<Chosen>(all, std::move(users));
}

std::unique_ptr<Examples> AgainstPublic(const Examples& own,
                                        const Examples& open,
                                        std::uint64_t seed) {
  const Shape a = own.shape();
  const Shape b = open.shape();
  if (a.height != b.height || a.width != b.width || a.channels != b.channels) {
    throw BadInput(fmt::format("public examples of {}, private ones of {}",
                               ToText(b), ToText(a)),
                   "public data", "give data of one shape");
  }
  auto both = std::make_unique<OwnAndPublic>(own, open, seed);
  if (both->public_size() == 0) {
    throw BadInput("no public example", "public data",
                   "give public data with examples");
  }
  return both;
}

std::unique_ptr<Examples> SyntheticExamples(const SyntheticOptions& options) {
  return std::make_unique<RandomImages>(options);
}

}  // namespace sfumato::models
