#include "bench/bench_lm.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "algorithms/dp_fedavg.h"
#include "base/interrupt.h"
#include "base/random.h"
#include "bench/rivals.h"
#include "data/generate/forum.h"
#include "fed/worker_pool.h"
#include "fmt/format.h"
#include "models/lstm_draw.h"
#include "models/lstm_loss.h"
#include "train/device.h"

#if SFUMATO_HAS_CUDA
#include <ATen/cuda/CUDAContext.h>
#endif

namespace sfumato::bench {
namespace {

constexpr std::int64_t kBatches = 10;  // one client's steps
constexpr std::int64_t kRows = 10;
constexpr std::int64_t kWidth = 22;

double Seconds(const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Text RandomText(const models::LstmShape& shape, bool ragged) {
  base::Rng rng(1);
  Text text{.sequences = at::zeros({kBatches, kRows, kWidth}, at::kLong),
            .lengths = at::zeros({kBatches, kRows}, at::kLong)};
  auto* symbol = text.sequences.data_ptr<std::int64_t>();
  auto* length = text.lengths.data_ptr<std::int64_t>();
  for (std::int64_t row = 0; row < kBatches * kRows; ++row) {
    for (std::int64_t t = 0; t < kWidth; ++t) {
      *symbol++ = t == 0 ? shape.begin
                         : static_cast<std::int64_t>(rng.Below(
                               static_cast<std::uint64_t>(shape.symbols)));
    }
    *length++ = ragged ? 3 + static_cast<std::int64_t>(rng.Below(kWidth - 3))
                       : kWidth - 1;
  }
  return text;
}

std::unique_ptr<fed::LaneTrainer> TrainerOf(const models::Lstm& model,
                                            at::Device device,
                                            std::int64_t lanes,
                                            std::int64_t rows,
                                            std::int64_t width) {
  return algorithms::DpFedAvg(models::TrainableLanguageModel(model, width),
                              {.device = {.learning_rate = 0.5}})
      .MakeTrainer(device, lanes, rows);
}

// `lanes` clients that train on the same text.
class Group {
 public:
  Group(const models::Lstm& model, const Text& text, at::Device device,
        std::int64_t lanes)
      : trainer_(TrainerOf(model, device, lanes, kRows, kWidth)),
        server_(model.Initial(1).to(device)),
        params_(params::EmptyLanes(lanes, model.layout().size(), device)) {
    for (std::int64_t i = 0; i < kBatches; ++i) {
      batches_.push_back(
          {.inputs = text.sequences[i]
                         .to(device, at::kFloat)
                         .view({1, kRows, 1, kWidth, 1})
                         .repeat({lanes, 1, 1, 1, 1}),
           .labels = text.lengths[i].to(device).repeat({lanes, 1}),
           .weights = at::full({lanes, kRows}, 1.0 / kRows, at::device(device)),
           .keys = at::zeros({lanes}, at::device(device).dtype(at::kLong)),
           .step = i});
    }
  }

  void Train() {
    params_.copy_(server_.expand_as(params_));
    trainer_->Begin();
    for (const models::Batch& batch : batches_) trainer_->Step(params_, batch);
  }

 private:
  std::unique_ptr<fed::LaneTrainer> trainer_;
  at::Tensor server_, params_;
  std::vector<models::Batch> batches_;
};

// Predictions per second of training, `lanes` clients at once on a GPU; on CPUs
// one on each core.
double TrainingTokens(const models::Lstm& model, const Text& text,
                      const train::Device& device, std::int64_t lanes,
                      int rounds) {
  const at::NoGradGuard no_gradient;
  if (device.torch.is_cpu()) {
    fed::WorkerPool pool(device.threads);
    std::vector<std::unique_ptr<Group>> groups;
    for (int i = 0; i < pool.size(); ++i) {
      groups.push_back(std::make_unique<Group>(model, text, device.torch, 1));
    }
    const auto run = [&](int count) {
      pool.Run(static_cast<std::size_t>(count * pool.size()),
               [&](int worker, std::size_t) {
                 groups[static_cast<std::size_t>(worker)]->Train();
               });
    };
    run(1);
    return text.tokens() * rounds * pool.size() / Seconds([&] { run(rounds); });
  }
  Group group(model, text, device.torch, lanes);
  const auto run = [&](int count) {
    for (int i = 0; i < count; ++i) group.Train();
#if SFUMATO_HAS_CUDA
    AT_CUDA_CHECK(cudaDeviceSynchronize());
#endif
  };
  run(1);
  return text.tokens() * static_cast<double>(lanes) * rounds /
         Seconds([&] { run(rounds); });
}

void Training(const std::string& name, const models::LstmShape& shape,
              const BenchJob& job, const Rivals& rivals,
              const train::Device& device, const Report& row) {
  const models::Lstm model(shape);
  const int rounds = job.quick ? 1 : 4;
  const std::int64_t lanes = job.device.lanes > 0 ? job.device.lanes : 100;
  for (const bool ragged : {true, false}) {
    const Text text = RandomText(shape, ragged);
    BenchRow ours{
        .figure = fmt::format(
            "{} training, {}, {}", name,
            ragged ? "3 to 21 predictions per row" : "21 predictions per row",
            device.torch.is_cpu() ? device.Text()
                                  : fmt::format("{} clients at once", lanes)),
        .ours = TrainingTokens(model, text, device, lanes, rounds),
        .unit = "predictions/s"};
    if (rivals.lstm.empty()) row(ours);
    for (const auto& rival : rivals.lstm) {
      base::CheckInterrupted();
      ours.rival_name = rival.name;
      ours.rival = rival.measure(shape, text, device, rounds);
      ours.ratio = ours.ours / ours.rival;
      row(ours);
    }
  }
}

// Words of the built-in forum beyond its 10,000 most frequent ones, as often as
// they come.
std::vector<std::string> UnknownWords() {
  const data::Forum forum({.users = 2000});
  std::map<std::string, int> counts;
  std::vector<std::string> words;
  for (std::uint64_t user = 0; user < 2000; ++user) {
    for (const std::string& sentence : forum.Sentences(user)) {
      std::istringstream in(sentence);
      for (std::string word; in >> word;) {
        ++counts[word];
        if (word.size() <= 18) words.push_back(word);
      }
    }
  }
  std::vector<int> by_rank;
  for (const auto& [word, count] : counts) by_rank.push_back(count);
  std::ranges::sort(by_rank, std::greater());
  const int known = by_rank.size() > 10'000 ? by_rank[10'000] : 0;
  std::erase_if(words, [&](const std::string& w) { return counts[w] > known; });
  return words;
}

// The byte model after `steps` of SGD on 100 such words each.
at::Tensor TrainedOnWords(const models::Lstm& model, int steps) {
  constexpr std::int64_t kWords = 100;
  constexpr std::int64_t kLetters = 20;
  const std::vector<std::string> words = UnknownWords();
  const models::LstmShape& shape = model.shape();
  at::Tensor params = model.Initial(1);
  const auto trainer = TrainerOf(model, at::kCPU, 1, kWords, kLetters);
  models::Batch batch{.inputs = at::zeros({1, kWords, 1, kLetters, 1}),
                      .labels = at::zeros({1, kWords}, at::kLong),
                      .weights = at::full({1, kWords}, 1.0 / kWords),
                      .keys = at::zeros({1}, at::kLong)};
  base::Rng rng(1);
  for (int i = 0; i < steps; ++i) {
    base::CheckInterrupted();
    float* row = batch.inputs.data_ptr<float>();
    for (std::int64_t w = 0; w < kWords; ++w, row += kLetters) {
      const std::string& word = words[rng.Below(words.size())];
      float* at = row;
      *at++ = static_cast<float>(shape.begin);
      for (const char c : word) {
        *at++ = static_cast<float>(static_cast<unsigned char>(c));
      }
      *at = static_cast<float>(shape.end);
      batch.labels[0][w] = static_cast<std::int64_t>(word.size()) + 1;
    }
    trainer->Step(params, batch);
  }
  return params;
}

// Different beginnings of words, for each word: what drawing them computes.
double BeginningsEach(const std::vector<models::Sequence>& words) {
  std::vector<std::vector<std::int32_t>> sorted;
  for (const models::Sequence& word : words) {
    sorted.push_back(word.symbols);
    // The last symbol of a word that was cut is drawn and not read.
    if (!word.ended) sorted.back().pop_back();
  }
  std::ranges::sort(sorted);
  double different = 1;  // the empty one
  const std::vector<std::int32_t> nothing;
  const std::vector<std::int32_t>* last = &nothing;
  for (const std::vector<std::int32_t>& word : sorted) {
    const auto shared = std::ranges::mismatch(*last, word).in2 - word.begin();
    different += static_cast<double>(std::ssize(word) - shared);
    last = &word;
  }
  return different / static_cast<double>(words.size());
}

void Drawing(const BenchJob& job, const train::Device& device,
             const Report& row) {
  const models::Lstm model(models::CharLm());
  const std::int64_t count = job.quick ? 10'000 : 100'000;
  const int most = job.steps > 0 ? job.steps : (job.quick ? 100 : 1500);
  for (const int steps : {0, most}) {
    const at::Tensor params =
        steps > 0 ? TrainedOnWords(model, steps) : model.Initial(1);
    std::vector<models::Sequence> words;
    const double seconds = Seconds([&] {
      words = models::DrawSequences(
          model, params,
          {.count = count, .longest = 20, .threads = device.threads});
    });
    row({.figure = fmt::format("{} words drawn after {} steps, char_lm, {:.2f} "
                               "beginnings per word",
                               count, steps, BeginningsEach(words)),
         .ours = static_cast<double>(count) / seconds,
         .unit = "words/s"});
  }
}

}  // namespace

void MeasureLanguage(const BenchJob& job, const Rivals& rivals,
                     const Report& row) {
  const train::Device device = train::DeviceFor(job.device);
  const auto asked = [&](const char* figure) {
    return job.figure == "all" || job.figure == figure;
  };
  const auto train = [&](const char* name, const models::LstmShape& shape) {
    Training(name, shape, job, rivals, device, row);
  };
  if (asked("word")) train("word_lm", models::WordLm());
  if (asked("char")) train("char_lm", models::CharLm());
  if (asked("draw")) Drawing(job, device, row);
}

extern "C" void SfumatoBenchLm(const BenchJob* job, const Report* row) {
  MeasureLanguage(*job, {}, *row);
}

}  // namespace sfumato::bench
