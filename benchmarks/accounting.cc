#include "accounting.h"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "base/json.h"
#include "dp/accounting/calibration.h"
#include "dp/accounting/pld.h"
#include "dp/accounting/published.h"
#include "fmt/format.h"
#include "table.h"

namespace sfumato {
namespace {

struct Setting {
  double cohort, population;
  std::int64_t rounds;
  double delta;
};
const Setting kRows[] = {{1000, 250000, 1000, 4e-8},
                         {1000, 1250000, 1000, 8e-9},
                         {1000, 500000, 1000, 2e-8},
                         {1000, 1708824, 1000, 0.01 / 1708824},
                         {1000, 1964706, 1000, 0.01 / 1964706},
                         {1000, 2000000, 1000, 5e-9},
                         {1000, 1930588, 1000, 0.01 / 1930588},
                         {5000, 342477, 2000, 1.0 / 342477}};

dp::Event Rounds(double noise, double rate, std::int64_t rounds) {
  return {.mechanism = dp::Gaussian{noise},
          .sampling = dp::Poisson{rate},
          .count = rounds};
}

double Epsilon(const dp::Event& event, double delta) {
  return dp::PldEpsilon({&event, 1}, delta);
}

std::vector<dp::Event> Different(int rounds) {
  std::vector<dp::Event> events;
  for (int i = 0; i < rounds; ++i) {
    events.push_back(Rounds(1 + 1e-4 * i, 0.01, 1));
  }
  return events;
}

// What the peers' script printed; empty when it could not run.
nlohmann::json AskPeers(const base::Path& python, const base::Path& script) {
  std::error_code ignored;
  if (!std::filesystem::exists(python, ignored)) return {};
  const base::Path file = Fresh("peers.json");
  const std::string command =
      fmt::format("'{}' '{}' > '{}' 2>/dev/null", python.string(),
                  script.string(), file.string());
  if (std::system(command.c_str()) != 0) return {};
  nlohmann::json answers = base::ParseJson(base::ReadFile(file));
  std::filesystem::remove(file);
  return answers;
}

}  // namespace

void BenchAccounting(const base::Path& python, const base::Path& script) {
  const nlohmann::json peers = AskPeers(python, script);
  const auto against = [&](const std::string& question, const char* name,
                           double ours) -> std::string {
    if (!peers.contains(question)) return "–";
    const double theirs = peers[question]["seconds"];
    return fmt::format("{} {:.2f} s, {:.0f}×", name, theirs, theirs / ours);
  };

  const double published = BestSeconds([] {
    for (const Setting& s : kRows) {
      dp::PublishedEpsilon({.noise_multiplier = 1,
                            .rate = s.cohort / s.population,
                            .rounds = s.rounds,
                            .delta = s.delta});
    }
  });
  const double pld = BestSeconds([] {
    for (const Setting& s : kRows) {
      Epsilon(Rounds(1, s.cohort / s.population, s.rounds), s.delta);
    }
  });
  Row("the first paper's eight rows, published and PLD", "≤ 50 ms together",
      fmt::format("{:.1f} ms and {:.1f} ms", 1e3 * published, 1e3 * pld),
      fmt::format("{}; {}",
                  against("rows_theorem_9", "autodp (Theorem 9)", published),
                  against("rows_pld", "dp_accounting (PLD)", pld)));

  const double many =
      BestSeconds([] { Epsilon(Rounds(1.1, 256.0 / 60000, 174000), 1e-5); });
  Row("174,000 equal rounds by PLD", "≤ 0.2 s",
      fmt::format("{:.1f} ms", 1e3 * many),
      fmt::format("{}; {}", against("many_prv", "prv_accountant", many),
                  against("many_pld", "dp_accounting", many)));

  const std::vector<dp::Event> ten = Different(10);
  const double few = BestSeconds([&] { dp::PldEpsilon(ten, 1e-6); });
  const std::vector<dp::Event> thousands = Different(2000);
  const double all = Seconds([&] { dp::PldEpsilon(thousands, 1e-6); });
  Row("2,000 different rounds by PLD", "≤ 2 s",
      fmt::format("{:.2f} s (10 of them {:.1f} ms)", all, 1e3 * few),
      against("different_10", "dp_accounting, 10 of them,", few));

  const double calibration = BestSeconds([] {
    dp::NoiseFor(Rounds(1, 0.01, 10000), {.epsilon = 1, .delta = 1e-5});
  });
  Row("noise for ε 1, 10,000 rounds, by PLD", "≤ 50 ms",
      fmt::format("{:.1f} ms", 1e3 * calibration),
      against("calibration", "dp_accounting", calibration));
}

}  // namespace sfumato
