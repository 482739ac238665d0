// `sfumato eval`: a run's model judged across users.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "app/command.h"
#include "app/exposure_answer.h"
#include "app/torch/evaluation.h"
#include "app/torch/exposure.h"
#include "app/torch_part.h"
#include "base/error.h"
#include "base/file.h"
#include "base/progress.h"
#include "fmt/format.h"

namespace sfumato::app {
namespace {

struct EvalGiven {
  std::string run;
  std::string data;
  std::string csv;
  std::int64_t round = -1;
  bool exposure = false;
  std::int64_t alternatives = ExposureJob().alternatives;
};

// Accuracies of users with examples, sorted.
std::vector<double> Accuracies(const EvalReport& report) {
  std::vector<double> all;
  for (const UserAccuracy& user : report.users) {
    if (user.examples > 0) {
      all.push_back(static_cast<double>(user.correct) /
                    static_cast<double>(user.examples));
    }
  }
  std::ranges::sort(all);
  return all;
}

double Quantile(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0;
  return sorted[static_cast<std::size_t>(
      share * static_cast<double>(sorted.size() - 1) + 0.5)];
}

// How many users have an accuracy in each tenth, as bars.
std::string Bars(const std::vector<double>& accuracies) {
  std::vector<std::size_t> counts(10);
  for (const double a : accuracies) {
    ++counts[std::min<std::size_t>(9, static_cast<std::size_t>(a * 10))];
  }
  const std::size_t most =
      std::max<std::size_t>(1, *std::ranges::max_element(counts));
  std::string text;
  for (std::size_t i = 0; i < 10; ++i) {
    const std::size_t length = counts[i] * 40 / most;
    std::string bar;
    for (std::size_t n = 0; n < length; ++n) {
      bar += base::ProcessTalk().utf8 ? "█" : "#";
    }
    text += fmt::format(
        "  {:.1f}–{:.1f} {:>6} {}\n", static_cast<double>(i) / 10,
        static_cast<double>(i + 1) / 10, base::HumanCount(counts[i]), bar);
  }
  return text;
}

std::string Csv(const EvalReport& report) {
  std::string text = "user,examples,correct,loss\n";
  for (const UserAccuracy& user : report.users) {
    std::string id = user.user;
    if (id.find_first_of(",\"\n\r") != std::string::npos) {
      std::string quoted = "\"";
      for (const char c : id) quoted += c == '"' ? "\"\"" : std::string(1, c);
      id = quoted + "\"";
    }
    text += fmt::format("{},{},{},{:.6g}\n", id, user.examples, user.correct,
                        user.loss);
  }
  return text;
}

Answer Eval(const EvalGiven& given) {
  const EvalJob job{
      .folder = given.run, .round = given.round, .data = given.data};
  if (!given.csv.empty() && std::filesystem::exists(given.csv)) {
    throw BadInput("already exists", given.csv,
                   "choose another name, or remove it first");
  }
  EvalReport report;
  TorchFunction<decltype(SfumatoEval)>("SfumatoEval")(&job, &report);
  const std::vector<double> accuracies = Accuracies(report);
  Answer answer;
  answer.text = fmt::format(
      "Judged   round {} on {} users of '{}' (simulation only: accuracy is "
      "computed from records)\n"
      "Accuracy {:.4f} over all {} · loss {:.4f}{}\n"
      "By user  25 % below {:.3f} · half below {:.3f} · 75 % below {:.3f}\n",
      report.round, base::HumanCount(report.users.size()), report.data,
      report.accuracy,
      report.language ? "next words or characters" : "examples", report.loss,
      report.language
          ? fmt::format(" · perplexity {:.4g}", std::exp(report.loss))
          : "",
      Quantile(accuracies, 0.25), Quantile(accuracies, 0.5),
      Quantile(accuracies, 0.75));
  answer.text += Bars(accuracies);
  answer.text.pop_back();
  answer.json = {{"run", given.run},
                 {"round", report.round},
                 {"data", report.data},
                 {"accuracy", report.accuracy},
                 {"loss", report.loss},
                 {"users", report.users.size()},
                 {"accuracy_quartiles",
                  {Quantile(accuracies, 0.25), Quantile(accuracies, 0.5),
                   Quantile(accuracies, 0.75)}},
                 {"by_user", nlohmann::json::array()}};
  if (report.language) answer.json["perplexity"] = std::exp(report.loss);
  for (const UserAccuracy& user : report.users) {
    answer.json["by_user"].push_back({{"user", user.user},
                                      {"examples", user.examples},
                                      {"correct", user.correct},
                                      {"loss", user.loss}});
  }
  if (!given.csv.empty()) {
    base::WriteFileAtomically(given.csv, Csv(report));
    answer.text += "\nTable    " + given.csv;
    answer.json["csv"] = given.csv;
  }
  return answer;
}

Answer Exposure(const EvalGiven& given) {
  const ExposureJob job{.folder = given.run,
                        .round = given.round,
                        .alternatives = given.alternatives};
  ExposureReport report;
  TorchFunction<decltype(SfumatoExposure)>("SfumatoExposure")(&job, &report);
  return ExposureAnswer(given.run, report);
}

const Registration kEval(
    {.path = "eval",
     .summary = "Judge a run's model on users' data, user by user. For "
                "generated and public data.",
     .example = "sfumato train configs/quick.toml --set rounds=5 --out judged\n"
                "sfumato eval judged\n"
                "sfumato train configs/forum_canaries.toml --out told\n"
                "sfumato eval told --exposure",
     .needs_torch = true,
     .define = [](CLI::App& app, const Common&) -> Action {
       auto given = std::make_shared<EvalGiven>();
       app.add_option("run", given->run, "The run's folder.")->required();
       auto* data = app.add_option(
           "--data", given->data,
           "A dataset to judge on (default: the run's test users).");
       app.add_option("--round", given->round,
                      "The checkpoint after so many rounds (default: the "
                      "last).")
           ->check(CLI::Range(std::int64_t{0}, std::int64_t{999'999}));
       auto* csv = app.add_option("--csv", given->csv,
                                  "Write one row a user to this file too.");
       auto* exposure =
           app.add_flag("--exposure", given->exposure,
                        "Instead: how well a model of words remembers its "
                        "canaries (canary.users), beside what its epsilon "
                        "proves.")
               ->excludes(data)
               ->excludes(csv);
       app.add_option("--alternatives", given->alternatives,
                      "Random sentences that each canary is ranked among.")
           ->check(CLI::Range(std::int64_t{10}, std::int64_t{10'000'000}))
           ->needs(exposure)
           ->capture_default_str();
       return [given] {
         return given->exposure ? Exposure(*given) : Eval(*given);
       };
     }});

}  // namespace
}  // namespace sfumato::app
