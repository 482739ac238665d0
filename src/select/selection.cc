#include "select/selection.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "census/answer/calibration.h"
#include "fmt/format.h"
#include "models/lstm_loss.h"

namespace sfumato::select {
namespace {

constexpr std::int64_t kBatch = 64;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
// Verdicts on an example; an example without a label has no verdict.
constexpr char kWrong = 0;
constexpr char kRight = 1;
constexpr char kNotJudged = 2;

std::size_t At(std::int64_t i) { return static_cast<std::size_t>(i); }

void CheckInput(const models::Stack& model, const models::Examples& examples) {
  const models::Shape& input = model.input();
  const models::Shape shape = examples.shape();
  if (input.height == shape.height && input.width == shape.width &&
      input.channels == shape.channels) {
    return;
  }
  throw BadInput(fmt::format("a model of {} inputs, where the data has {}",
                             models::ToText(input), models::ToText(shape)),
                 "select.model",
                 "name a model that was trained on data of this shape");
}

// `use` is given the first example's number, inputs [1, batch, …], and labels
// [1, batch] of each batch of a user.
using UseBatch = std::function<void(
    std::int64_t first, const at::Tensor& inputs, const at::Tensor& labels)>;

void ForEachBatch(const models::Examples& examples, std::int64_t user,
                  const UseBatch& use) {
  const models::Shape shape = examples.shape();
  const auto size = At(shape.size());
  const std::int64_t count = examples.user_size(user);
  for (std::int64_t first = 0; first < count; first += kBatch) {
    const std::int64_t rows = std::min(kBatch, count - first);
    at::Tensor inputs =
        at::empty({1, rows, shape.height, shape.width, shape.channels});
    at::Tensor labels = at::empty({1, rows}, at::kLong);
    for (std::int64_t row = 0; row < rows; ++row) {
      float* values = inputs.data_ptr<float>() + At(row) * size;
      labels.data_ptr<std::int64_t>()[row] =
          examples.Read(user, first + row, {values, size});
    }
    use(first, inputs, labels);
  }
}

class Selected : public models::Examples {
 public:
  Selected(const models::Examples& all,
           std::vector<std::vector<std::int64_t>> chosen)
      : all_(all), chosen_(std::move(chosen)) {}

  models::Shape shape() const override { return all_.shape(); }
  std::int64_t classes() const override { return all_.classes(); }
  std::int64_t users() const override { return all_.users(); }
  std::int64_t user_size(std::int64_t user) const override {
    return static_cast<std::int64_t>(chosen_[At(user)].size());
  }
  std::int64_t Read(std::int64_t user, std::int64_t i,
                    std::span<float> values) const override {
    return all_.Read(user, chosen_[At(user)][At(i)], values);
  }
  bool labelled(std::int64_t user, std::int64_t i) const override {
    return all_.labelled(user, chosen_[At(user)][At(i)]);
  }

 private:
  const models::Examples& all_;
  std::vector<std::vector<std::int64_t>> chosen_;  // [user][i]: its number
};

// The index of `value` among `known`. REQUIRES: CheckCriterion found it.
std::int32_t IndexOf(const std::string& value,
                     const std::vector<std::string>& known) {
  return static_cast<std::int32_t>(
      std::find(known.begin(), known.end(), value) - known.begin());
}

// Whether an example of a slice has its value.
using InSlice = std::function<bool(const data::Example&)>;

InSlice SliceOf(const Criterion& criterion, const data::DatasetInfo& info) {
  if (criterion.by == By::kClass) {
    return [label = IndexOf(criterion.value, info.classes)](
               const data::Example& example) { return example.label == label; };
  }
  std::size_t column = 0;
  while (info.columns[column].name != criterion.column) ++column;
  return
      [column, value = IndexOf(criterion.value, info.columns[column].values)](
          const data::Example& example) {
        return example.columns[column] == value;
      };
}

// The share of the judged examples that were judged so; NaN where none was.
double ShareOf(char verdict, const std::vector<char>& own) {
  const auto judged =
      static_cast<double>(static_cast<std::int64_t>(own.size()) -
                          std::count(own.begin(), own.end(), kNotJudged));
  if (judged == 0) return kNone;
  return static_cast<double>(std::count(own.begin(), own.end(), verdict)) /
         judged;
}

// One user's device, which decides for itself.
class Device {
 public:
  Device(const Criterion& criterion, const Devices& devices,
         const InSlice& in_slice, std::int64_t user)
      : criterion_(criterion),
        devices_(devices),
        in_slice_(in_slice),
        user_(user),
        size_(devices.examples.user_size(user)) {}

  // The examples that take part.
  std::vector<std::int64_t> Choose() const {
    if (criterion_.half != 0 && HalfOf(Own().id()) != criterion_.half) {
      return {};
    }
    std::vector<std::int64_t> chosen;
    if (!RightUser()) return chosen;
    for (std::int64_t i = 0; i < size_; ++i) {
      if (TakesPart(i)) chosen.push_back(i);
    }
    if (static_cast<std::int64_t>(chosen.size()) < Least()) chosen.clear();
    return chosen;
  }

 private:
  bool a() const { return criterion_.side == Side::kA; }
  data::User Own() const {
    return devices_.set.user(At(devices_.users[At(user_)]));
  }

  std::int64_t Least() const {
    return criterion_.by == By::kExamples ||
                   criterion_.by == By::kUnlikePublic ||
                   criterion_.by == By::kLikelihood
               ? criterion_.least_examples
               : 1;
  }

  bool RightUser() const {
    if (criterion_.by == By::kAccuracy) {
      const double accuracy = devices_.verdicts.Accuracy(At(user_));
      return size_ > 0 && criterion_.Holds(accuracy);
    }
    if (criterion_.by == By::kVote) {
      const bool b = Marks(criterion_.answer);
      return a() ? !b && Marks(census::kAsItShouldBe) : b;
    }
    return criterion_.by != By::kPerplexity ||
           criterion_.Holds(devices_.verdicts.Perplexity(At(user_)));
  }

  bool Marks(std::string_view answer) const {
    const auto& own = devices_.verdicts.marks[At(user_)];
    return std::ranges::find(own, answer) != own.end();
  }

  bool TakesPart(std::int64_t i) const {
    switch (criterion_.by) {
      case By::kEveryone:
      case By::kAccuracy:
      case By::kPerplexity:
      case By::kVote:
      case By::kBeforeAfter:  // which state it is, the data's folder says
        return true;
      case By::kExamples:
        return devices_.verdicts.correct[At(user_)][At(i)] ==
               (a() ? kRight : kWrong);
      case By::kUnlikePublic:
        return criterion_.Holds(1 - devices_.verdicts.score[At(user_)][At(i)]);
      case By::kLikelihood:
        return criterion_.Holds(
            devices_.verdicts.likelihood[At(user_)][At(i)].Perplexity());
      case By::kClass:
      case By::kColumn:
        return InSideOfSlice(i);
    }
    return false;
  }

  bool InSideOfSlice(std::int64_t i) const {
    try {
      return in_slice_(Own()[At(i)]) != a();
    } catch (const Error&) {
      if (devices_.set.info().origin != data::Origin::kPrivate) throw;
      return false;
    }
  }

  const Criterion& criterion_;
  const Devices& devices_;
  const InSlice& in_slice_;
  std::int64_t user_;
  std::int64_t size_;
};

}  // namespace

double Verdicts::Accuracy(std::size_t user) const {
  return ShareOf(kRight, correct[user]);
}

double Likelihood::Perplexity() const {
  return predictions == 0
             ? kNone
             : std::exp(-log_likelihood / static_cast<double>(predictions));
}

double Verdicts::Perplexity(std::size_t user) const {
  Likelihood all;
  for (const Likelihood& sentence : likelihood[user]) {
    if (sentence.predictions == 0) continue;  // not to be read
    all.log_likelihood += sentence.log_likelihood;
    all.predictions += sentence.predictions;
  }
  return all.Perplexity();
}

Verdicts JudgeAll(const models::Stack& model, const at::Tensor& params,
                  const models::Examples& examples, fed::WorkerPool& pool) {
  CheckInput(model, examples);
  if (model.output().size() != examples.classes()) {
    throw BadInput(
        fmt::format("a classifier of {} classes, where the data have {}",
                    model.output().size(), examples.classes()),
        "select.model", "name a classifier of the data's own classes");
  }
  Verdicts verdicts;
  verdicts.correct.resize(At(examples.users()));
  pool.Run(At(examples.users()), [&](int, std::size_t user) {
    std::vector<char>& own = verdicts.correct[user];
    const auto number = static_cast<std::int64_t>(user);
    own.resize(At(examples.user_size(number)));
    ForEachBatch(examples, number,
                 [&](std::int64_t first, const at::Tensor& inputs,
                     const at::Tensor& labels) {
                   const at::Tensor logits = model.Forward(params, inputs);
                   const at::Tensor right =
                       logits.argmax(-1)
                           .eq(labels)
                           .logical_and(logits.isfinite().all(-1))
                           .contiguous();
                   const auto* label = labels.data_ptr<std::int64_t>();
                   for (std::int64_t i = 0; i < right.numel(); ++i) {
                     own[At(first + i)] = label[i] < 0 ? kNotJudged
                                          : right.data_ptr<bool>()[i] ? kRight
                                                                      : kWrong;
                   }
                 });
  });
  return verdicts;
}

Verdicts ScoreAll(const models::Stack& discriminator, const at::Tensor& params,
                  const models::Examples& examples, fed::WorkerPool& pool) {
  CheckInput(discriminator, examples);
  if (discriminator.output().size() != 2) {
    throw BadInput(fmt::format("a discriminator of {} classes",
                               discriminator.output().size()),
                   "select.model",
                   "name a run that separates private data from public: two "
                   "classes");
  }
  Verdicts verdicts;
  verdicts.score.resize(At(examples.users()));
  pool.Run(At(examples.users()), [&](int, std::size_t user) {
    std::vector<float>& own = verdicts.score[user];
    const auto number = static_cast<std::int64_t>(user);
    own.resize(At(examples.user_size(number)));
    ForEachBatch(
        examples, number,
        [&](std::int64_t first, const at::Tensor& inputs, const at::Tensor&) {
          const at::Tensor scores = discriminator.Forward(params, inputs)
                                        .softmax(-1)
                                        .select(-1, 1)
                                        .nan_to_num(0.0)
                                        .contiguous();
          std::copy_n(scores.data_ptr<float>(), scores.numel(),
                      own.begin() + first);
        });
  });
  return verdicts;
}

Verdicts LikelihoodOfAll(const models::Lstm& model, const at::Tensor& params,
                         const models::Examples& sentences,
                         fed::WorkerPool& pool) {
  if (model.shape().symbols != sentences.classes()) {
    throw BadInput(
        fmt::format("a model of {} symbols, where the sentences have {}",
                    model.shape().symbols, sentences.classes()),
        "select.model", "encode the sentences with the model's own words");
  }
  Verdicts verdicts;
  verdicts.likelihood.resize(At(sentences.users()));
  pool.Run(At(sentences.users()), [&](int, std::size_t user) {
    std::vector<Likelihood>& own = verdicts.likelihood[user];
    ForEachBatch(
        sentences, static_cast<std::int64_t>(user),
        [&](std::int64_t, const at::Tensor& inputs, const at::Tensor& labels) {
          const models::SequencesJudged judged =
              models::JudgeSequences(model, params, inputs, labels);
          const double* likelihood = judged.log_likelihood.data_ptr<double>();
          const auto* predictions = judged.predictions.data_ptr<std::int64_t>();
          for (std::int64_t row = 0; row < labels.numel(); ++row) {
            own.push_back({.log_likelihood = likelihood[row],
                           .predictions = predictions[row]});
          }
        });
  });
  return verdicts;
}

std::vector<std::vector<std::int64_t>> ChosenExamples(
    const Criterion& criterion, const Devices& devices) {
  const data::DatasetInfo& info = devices.set.info();
  CheckCriterion(criterion, info);
  InSlice in_slice;
  if (criterion.by == By::kClass || criterion.by == By::kColumn) {
    in_slice = SliceOf(criterion, info);
  }
  std::vector<std::vector<std::int64_t>> chosen(At(devices.examples.users()));
  for (std::size_t user = 0; user < chosen.size(); ++user) {
    try {
      chosen[user] =
          Device(criterion, devices, in_slice, static_cast<std::int64_t>(user))
              .Choose();
    } catch (const Error&) {
      if (info.origin != data::Origin::kPrivate) throw;
    }
  }
  return chosen;
}

std::unique_ptr<models::Examples> Select(const Criterion& criterion,
                                         const Devices& devices) {
  return std::make_unique<Selected>(devices.examples,
                                    ChosenExamples(criterion, devices));
}

std::int64_t SelectedUsers(const models::Examples& selected) {
  std::int64_t count = 0;
  for (std::int64_t user = 0; user < selected.users(); ++user) {
    count += selected.user_size(user) > 0 ? 1 : 0;
  }
  return count;
}

std::vector<double> Accuracies(const Verdicts& verdicts) {
  std::vector<double> numbers;
  for (std::size_t user = 0; user < verdicts.correct.size(); ++user) {
    numbers.push_back(ShareOf(kRight, verdicts.correct[user]));
  }
  return numbers;
}

std::vector<double> CorrectionRates(const Verdicts& verdicts) {
  std::vector<double> numbers;
  for (const std::vector<char>& own : verdicts.correct) {
    numbers.push_back(ShareOf(kWrong, own));
  }
  return numbers;
}

std::vector<double> LogPerplexities(const Verdicts& verdicts) {
  std::vector<double> numbers;
  for (std::size_t user = 0; user < verdicts.likelihood.size(); ++user) {
    // NaN for users without one; an infinite one counts at the question's
    // bound.
    numbers.push_back(std::min(std::log(verdicts.Perplexity(user)), 1e6));
  }
  return numbers;
}

std::vector<double> SidesOf(const models::Examples& a,
                            const models::Examples& b) {
  std::vector<double> numbers;
  for (std::int64_t user = 0; user < a.users(); ++user) {
    numbers.push_back(a.user_size(user) > 0   ? 0
                      : b.user_size(user) > 0 ? 1
                                              : kNone);
  }
  return numbers;
}

std::vector<double> TakingPart(const models::Examples& selected) {
  std::vector<double> numbers;
  for (std::int64_t user = 0; user < selected.users(); ++user) {
    numbers.push_back(selected.user_size(user) > 0 ? 0 : kNone);
  }
  return numbers;
}

}  // namespace sfumato::select
