// Language models trained and drawn from, beside the plain LibTorch loop:
//
//   build/release/benchmarks/lstm_steps word 2      a model, threads
//   build/release/benchmarks/lstm_steps char 2 4    … clients a thread
//   build/release/benchmarks/lstm_steps char 1 4 x  … without the rival
//   build/release/benchmarks/lstm_steps draw 2 100000 500   … sequences of a
//                                        model after so many steps
//
// prints predictions a second. Rows are of random lengths ("ragged") or all as
// long as the batch is wide ("full").

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "base/random.h"
#include "data/generate/forum.h"
#include "eager_lstm.h"
#include "fmt/format.h"
#include "models/lstm_draw.h"
#include "models/lstm_step.h"
#include "table.h"

namespace sfumato {
namespace {

constexpr std::int64_t kBatches = 10;
constexpr std::int64_t kRows = 10;

struct Data {
  at::Tensor sequences;  // [batch, row, width] int64
  at::Tensor lengths;    // [batch, row] int64
};

Data RandomData(const models::LstmShape& shape, std::int64_t width,
                bool ragged) {
  const at::Tensor sequences =
      at::randint(4, shape.symbols - 4, {kBatches, kRows, width}, at::kLong);
  sequences.select(2, 0).fill_(shape.begin);
  return {.sequences = sequences,
          .lengths = ragged
                         ? at::randint(3, width, {kBatches, kRows}, at::kLong)
                         : at::full({kBatches, kRows}, width - 1, at::kLong)};
}

// Predictions a second of clients that take one step on each batch, one client
// at a time on each thread.
double OurTokens(const models::Lstm& model, const Data& data, int threads,
                 int clients) {
  const at::Tensor server = model.Initial(1);
  const at::Tensor weights = at::full({1, kRows}, 1.0 / kRows);
  const at::Tensor inputs = data.sequences.to(at::kFloat);
  std::vector<double> seconds(static_cast<std::size_t>(threads));
  const auto live = [&](int thread) {
    at::set_num_threads(1);
    const at::NoGradGuard no_gradient;
    models::LstmStep step(model, at::kCPU, 1, kRows, inputs.size(2),
                          {.learning_rate = 0.5});
    const at::Tensor params = at::empty_like(server);
    const auto train = [&](int count) {
      for (int client = 0; client < count; ++client) {
        params.copy_(server);
        step.Begin();
        for (std::int64_t i = 0; i < kBatches; ++i) {
          step.Step(params, {.inputs = inputs[i].view({1, kRows, 1, -1, 1}),
                             .labels = data.lengths[i].unsqueeze(0),
                             .weights = weights,
                             .keys = {}});
        }
      }
    };
    train(1);
    seconds[static_cast<std::size_t>(thread)] =
        Seconds([&] { train(clients); });
  };
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i) running.emplace_back(live, i);
  for (std::thread& thread : running) thread.join();
  return data.lengths.sum().item<double>() * clients * threads /
         *std::ranges::max_element(seconds);
}

void Measure(const models::LstmShape& shape, std::int64_t width, int threads,
             int clients, bool alone) {
  const models::Lstm model(shape);
  for (const bool ragged : {true, false}) {
    const Data data = RandomData(shape, width, ragged);
    const double ours = OurTokens(model, data, threads, clients);
    if (alone) {
      fmt::print("{} symbols, {}: {:.0f} predictions/s\n", shape.symbols,
                 ragged ? "ragged" : "full", ours);
      continue;
    }
    const double rival = EagerLstmTokens(
        {.symbols = shape.symbols,
         .embedding = shape.embedding,
         .hidden = shape.hidden,
         .layers = shape.layers,
         .projection = shape.projection,
         .tied = shape.tied},
        data.sequences, data.lengths, {.threads = threads, .clients = clients});
    fmt::print("{} symbols, {}: {:.0f} predictions/s, plain {:.0f}, {:.2f}\n",
               shape.symbols, ragged ? "ragged" : "full", ours, rival,
               ours / rival);
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

// `steps` of SGD on batches of 100 words.
at::Tensor Trained(const models::Lstm& model, int steps) {
  constexpr std::int64_t kWidth = 20;
  constexpr std::int64_t kWords = 100;
  const std::vector<std::string> words = UnknownWords();
  const models::LstmShape& shape = model.shape();
  at::Tensor params = model.Initial(1);
  models::LstmStep step(model, at::kCPU, 1, kWords, kWidth,
                        {.learning_rate = 0.5});
  base::Rng rng(1);
  models::Batch batch{.inputs = at::zeros({1, kWords, 1, kWidth, 1}),
                      .labels = at::zeros({1, kWords}, at::kLong),
                      .weights = at::full({1, kWords}, 1.0 / kWords),
                      .keys = {}};
  for (int i = 0; i < steps; ++i) {
    float* row = batch.inputs.data_ptr<float>();
    for (std::int64_t w = 0; w < kWords; ++w, row += kWidth) {
      const std::string& word = words[rng.Below(words.size())];
      float* at = row;
      *at++ = static_cast<float>(shape.begin);
      for (const char c : word) *at++ = static_cast<unsigned char>(c);
      *at = static_cast<float>(shape.end);
      batch.labels[0][w] = static_cast<std::int64_t>(word.size()) + 1;
    }
    if (i % 100 == 0) step.Begin();
    step.Step(params, batch);
  }
  fmt::print("{} words, {} steps, loss {:.2f} a symbol\n", words.size(), steps,
             step.losses()[0].item<double>());
  return params;
}

void Draw(std::int64_t count, int threads, int steps) {
  const models::Lstm model(models::CharLm());
  const at::Tensor params =
      steps > 0 ? Trained(model, steps) : model.Initial(1);
  std::size_t symbols = 0;
  std::set<std::vector<std::int32_t>> beginnings;
  std::vector<models::Sequence> drawn;
  const double seconds = Seconds([&] {
    drawn = models::DrawSequences(
        model, params, {.count = count, .longest = 20, .threads = threads});
  });
  for (const models::Sequence& one : drawn) {
    symbols += one.symbols.size();
    for (std::size_t n = 0; n <= one.symbols.size(); ++n) {
      beginnings.insert({one.symbols.begin(),
                         one.symbols.begin() + static_cast<std::int64_t>(n)});
    }
  }
  fmt::print("{} steps: {:.0f} sequences/s of {:.1f} symbols, {} beginnings\n",
             steps, static_cast<double>(count) / seconds,
             static_cast<double>(symbols) / static_cast<double>(count),
             beginnings.size());
  models::MostLikelySequences top;
  const double search =
      Seconds([&] { top = models::MostLikely(model, params, {.count = 20}); });
  fmt::print("top 20 {} after {} beginnings in {:.2f} s:",
             top.exact ? "proven" : "not proven", top.expanded, search);
  for (const models::LikelySequence& one : top.sequences) {
    fmt::print(" {}", std::string(one.symbols.begin(), one.symbols.end()));
  }
  fmt::print("\n");
}

}  // namespace
}  // namespace sfumato

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "word";
  const int threads = argc > 2 ? std::atoi(argv[2]) : 2;
  const int clients = argc > 3 ? std::atoi(argv[3]) : 4;
  const bool alone = argc > 4;
  if (what == "word") {
    sfumato::Measure(sfumato::models::WordLm(), 22, threads, clients, alone);
  } else if (what == "char") {
    sfumato::Measure(sfumato::models::CharLm(), 22, threads, clients, alone);
  } else {
    sfumato::Draw(clients, threads, argc > 4 ? std::atoi(argv[4]) : 0);
  }
}
