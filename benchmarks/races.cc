// Training against what a LibTorch user would write instead, both in one
// process.
//
//   races cohort|lm [--device cpu|cuda] [--lanes N] [--figure NAME] [--quick]
//
// Prints one JSON object, as `sfumato bench --json`, with the rivals beside.

#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "app/torch_environment.h"
#include "base/error.h"
#include "bench/rivals.h"
#include "eager_cifar.h"
#include "eager_critic.h"
#include "eager_lstm.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"

namespace sfumato {
namespace {

constexpr const char* kEager = "LibTorch eager autograd";

auto Lstm(bool built_in) {
  return [built_in](const models::LstmShape& shape, const bench::Text& text,
                    const train::Device& device, int clients) {
    return EagerLstmTokens({.symbols = shape.symbols,
                            .embedding = shape.embedding,
                            .hidden = shape.hidden,
                            .layers = shape.layers,
                            .projection = shape.projection,
                            .tied = shape.tied},
                           text.sequences, text.lengths,
                           {.device = device.torch,
                            .threads = device.threads,
                            .clients = clients,
                            .built_in = built_in});
  };
}

bench::Rivals EagerRivals() {
  return {
      .critic = {{kEager,
                  [](const train::Device& device, int steps) {
                    return 1 / EagerCriticSeconds(device.torch, device.threads,
                                                  steps);
                  }}},
      .cifar = {{kEager,
                 [](const train::Device& device, int rounds, bool is_private) {
                   return EagerCifarSeconds({.device = device.torch,
                                             .threads = device.threads,
                                             .rounds = rounds,
                                             .is_private = is_private});
                 }}},
      .lstm = {{kEager, Lstm(false)},
               {"LibTorch's own LSTM, four gates", Lstm(true)}}};
}

int Run(const std::vector<std::string>& words) {
  bench::BenchJob job;
  bool language = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string next = i + 1 < words.size() ? words[i + 1] : "";
    if (words[i] == "lm") {
      language = true;
    } else if (words[i] == "--quick") {
      job.quick = true;
    } else if (words[i] == "--device") {
      job.device.name =
          next == "cuda" ? config::DeviceKind::kCuda : config::DeviceKind::kCpu;
      ++i;
    } else if (words[i] == "--lanes") {
      job.device.lanes = std::atoll(next.c_str());
      ++i;
    } else if (words[i] == "--figure") {
      job.figure = next;
      ++i;
    } else if (words[i] != "cohort") {
      fmt::print(stderr, "unknown: {}\n", words[i]);
      return 2;
    }
  }
  nlohmann::json figures = nlohmann::json::array();
  const bench::Report row = [&](const bench::BenchRow& raced) {
    figures.push_back({{"figure", raced.figure},
                       {"ours", raced.ours},
                       {"unit", raced.unit},
                       {"rival", raced.rival > 0 ? nlohmann::json(raced.rival)
                                                 : nlohmann::json()},
                       {"rival_name", raced.rival_name},
                       {"ratio", raced.ratio}});
  };
  (language ? bench::MeasureLanguage : bench::MeasureCohort)(job, EagerRivals(),
                                                             row);
  fmt::print("{}\n", nlohmann::json({{"figures", figures}}).dump(2));
  return 0;
}

}  // namespace
}  // namespace sfumato

int main(int argc, char** argv) {
  // LibTorch was loaded with this program, which therefore starts again under
  // the settings that `sfumato` has.
  const bool prepared = std::getenv("OMP_WAIT_POLICY") != nullptr;
  sfumato::app::PrepareForTorch();
  if (!prepared) execv("/proc/self/exe", argv);
  try {
    return sfumato::Run({argv + 1, argv + argc});
  } catch (const sfumato::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
