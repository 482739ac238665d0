// Language models trained and drawn from, beside the plain LibTorch loop:
//
//   build/release/benchmarks/lstm_steps word 2      a model, threads
//   build/release/benchmarks/lstm_steps char 2
//
// prints predictions a second. Rows are of random lengths ("ragged") or all as
// long as the batch is wide ("full").

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

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
             int clients) {
  const models::Lstm model(shape);
  for (const bool ragged : {true, false}) {
    const Data data = RandomData(shape, width, ragged);
    const double ours = OurTokens(model, data, threads, clients);
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

void Draw(const models::LstmShape& shape, std::int64_t count, int threads) {
  const models::Lstm model(shape);
  std::size_t symbols = 0;
  const double seconds = Seconds([&] {
    for (const models::Sequence& one : models::DrawSequences(
             model, model.Initial(1),
             {.count = count, .longest = 20, .threads = threads})) {
      symbols += one.symbols.size();
    }
  });
  fmt::print("untrained: {:.0f} sequences/s of {:.1f} symbols\n",
             static_cast<double>(count) / seconds,
             static_cast<double>(symbols) / static_cast<double>(count));
}

}  // namespace
}  // namespace sfumato

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "word";
  const int threads = argc > 2 ? std::atoi(argv[2]) : 2;
  const int clients = argc > 3 ? std::atoi(argv[3]) : 4;
  if (what == "word") {
    sfumato::Measure(sfumato::models::WordLm(), 22, threads, clients);
  } else if (what == "char") {
    sfumato::Measure(sfumato::models::CharLm(), 22, threads, clients);
  } else {
    sfumato::Draw(sfumato::models::CharLm(), clients, threads);
  }
}
