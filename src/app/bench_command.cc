// `sfumato bench cohort` and `sfumato bench lm`: how fast clients train here.

#include <memory>

#include "app/command.h"
#include "app/options.h"
#include "app/torch_part.h"
#include "base/progress.h"
#include "bench/bench.h"
#include "bench/bench_lm.h"
#include "fmt/format.h"

namespace sfumato::app {
namespace {

std::string RowText(const bench::BenchRow& row) {
  std::string text =
      fmt::format("{:<52} {:>10.4g} {}", row.figure, row.ours, row.unit);
  if (row.ratio > 0) {
    text += fmt::format(" · {:.3f} of the first", row.ratio);
  }
  return text;
}

Answer Bench(const bench::BenchJob& job, const char* measure) {
  Answer answer;
  answer.json["figures"] = nlohmann::json::array();
  const std::function<void(const bench::BenchRow&)> report =
      [&](const bench::BenchRow& row) {
        answer.text += RowText(row) + "\n";
        base::Note("measured " + RowText(row));  // visible if it is stopped
        answer.json["figures"].push_back({{"figure", row.figure},
                                          {"ours", row.ours},
                                          {"unit", row.unit},
                                          {"ratio", row.ratio}});
      };
  TorchFunction<decltype(bench::SfumatoBench)>(measure)(&job, &report);
  if (!answer.text.empty()) answer.text.pop_back();
  return answer;
}

// The options that both have, and the measurement that `measure` names.
Action Measurement(CLI::App& app, const std::shared_ptr<bench::BenchJob>& job,
                   const char* measure) {
  AddChoice(app, "--device", job->device.name,
            {{"auto", config::DeviceKind::kAuto},
             {"cpu", config::DeviceKind::kCpu},
             {"cuda", config::DeviceKind::kCuda}},
            "Where.");
  app.add_option("--threads", job->device.threads,
                 "Clients at a time on CPUs (0: all cores).")
      ->check(CLI::Range(0, 4096));
  app.add_option("--lanes", job->device.lanes,
                 "Clients at a time on a GPU (0: chosen here).")
      ->check(CLI::Range(0, 65536));
  app.add_flag("--quick", job->quick, "Fewer repetitions.");
  return [job, measure] { return Bench(*job, measure); };
}

const Registration kCohort(
    {.path = "bench cohort",
     .summary = "Measure how fast clients train on this machine.",
     .example = "sfumato bench cohort --figure population --quick",
     .needs_torch = true,
     .define = [](CLI::App& app, const Common&) -> Action {
       auto job = std::make_shared<bench::BenchJob>();
       AddChoice(app, "--figure", job->figure,
                 {{"all", "all"},
                  {"critic", "critic"},
                  {"cifar", "cifar"},
                  {"cohort", "cohort"},
                  {"population", "population"},
                  {"memory", "memory"}},
                 "What to measure.");
       return Measurement(app, job, "SfumatoBench");
     }});

const Registration kLm(
    {.path = "bench lm",
     .summary = "Measure how fast language models train and draw on this "
                "machine.",
     .example = "sfumato bench lm --figure char --quick",
     .needs_torch = true,
     .define = [](CLI::App& app, const Common&) -> Action {
       auto job = std::make_shared<bench::BenchJob>();
       AddChoice(app, "--figure", job->figure,
                 {{"all", "all"},
                  {"word", "word"},
                  {"char", "char"},
                  {"draw", "draw"}},
                 "What to measure.");
       app.add_option("--steps", job->steps,
                      "Steps that the model drawn from trains first (0: 1500, "
                      "or 100 with --quick).")
           ->check(CLI::Range(0, 1'000'000));
       return Measurement(app, job, "SfumatoBenchLm");
     }});

}  // namespace
}  // namespace sfumato::app
