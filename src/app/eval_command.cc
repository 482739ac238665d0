// `sfumato eval`: a run's model judged across users.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>

#include "app/command.h"
#include "app/exposure_answer.h"
#include "app/torch_part.h"
#include "base/error.h"
#include "base/file.h"
#include "base/progress.h"
#include "fmt/format.h"
#include "train/evaluation.h"
#include "train/exposure.h"

namespace sfumato::app {
namespace {

struct EvalGiven {
  std::string run;
  std::string data;
  std::string csv;
  std::int64_t round = -1;
  bool exposure = false;
  std::int64_t alternatives = train::ExposureJob().alternatives;
};

// Accuracies of users with examples, sorted.
std::vector<double> Accuracies(const train::EvalReport& report) {
  std::vector<double> all;
  for (const train::UserAccuracy& user : report.users) {
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

// Perplexities of users with predictions, sorted.
std::vector<double> Perplexities(const train::EvalReport& report) {
  std::vector<double> all;
  for (const train::UserAccuracy& user : report.users) {
    if (user.examples > 0) all.push_back(std::exp(user.loss));
  }
  std::ranges::sort(all);
  return all;
}

// How many users are in each tenth from `low` to `high`, as bars. `label` is
// what a number is called.
std::string Bars(const std::vector<double>& numbers, double low, double high,
                 const std::function<std::string(double)>& label) {
  std::vector<std::size_t> counts(10);
  const double width = std::max(high - low, 1e-12) / 10;
  for (const double number : numbers) {
    const double place = std::clamp((number - low) / width, 0.0, 9.0);
    ++counts[static_cast<std::size_t>(place)];
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
    const double from = low + static_cast<double>(i) * width;
    text += fmt::format("  {}–{} {:>6} {}\n", label(from), label(from + width),
                        base::HumanCount(counts[i]), bar);
  }
  return text;
}

std::string BarsOfAccuracy(const std::vector<double>& accuracies) {
  return Bars(accuracies, 0, 1,
              [](double number) { return fmt::format("{:.1f}", number); });
}

// By their logarithms: twice as many words to guess from is one step.
std::string BarsOfPerplexity(const std::vector<double>& perplexities) {
  std::vector<double> logs;
  for (const double number : perplexities) {
    if (std::isfinite(number)) logs.push_back(std::log(number));
  }
  if (logs.empty()) return "";
  return Bars(logs, logs.front(), logs.back(), [](double number) {
    return fmt::format("{:>7.4g}", std::exp(number));
  });
}

nlohmann::json Quartiles(const std::vector<double>& sorted) {
  return {Quantile(sorted, 0.25), Quantile(sorted, 0.5),
          Quantile(sorted, 0.75)};
}

std::string Csv(const train::EvalReport& report) {
  std::string text = "user,examples,correct,loss\n";
  for (const train::UserAccuracy& user : report.users) {
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
  const train::EvalJob job{
      .folder = given.run, .round = given.round, .data = given.data};
  if (!given.csv.empty() && std::filesystem::exists(given.csv)) {
    throw BadInput("already exists", given.csv,
                   "choose another name, or remove it first");
  }
  train::EvalReport report;
  TorchFunction<decltype(train::SfumatoEval)>("SfumatoEval")(&job, &report);
  const std::vector<double> accuracies = Accuracies(report);
  Answer answer;
  answer.text = fmt::format(
      "Judged   round {} on {} of '{}' (simulation only: accuracy is "
      "computed from records)\n"
      "Accuracy {:.4f} over all {} · loss {:.4f}{}\n"
      "By user  25 % below {:.3f} · half below {:.3f} · 75 % below {:.3f}\n",
      report.round, base::HumanCount(report.users.size(), "user"), report.data,
      report.accuracy,
      report.language ? "next words or characters" : "examples", report.loss,
      report.language
          ? fmt::format(" · perplexity {:.4g}", std::exp(report.loss))
          : "",
      Quantile(accuracies, 0.25), Quantile(accuracies, 0.5),
      Quantile(accuracies, 0.75));
  const std::vector<double> own =
      report.language ? Perplexities(report) : std::vector<double>{};
  if (report.language) {
    answer.text += fmt::format(
        "         perplexity: 25 % below {:.4g} · half below {:.4g} · 75 % "
        "below {:.4g}\n{}",
        Quantile(own, 0.25), Quantile(own, 0.5), Quantile(own, 0.75),
        BarsOfPerplexity(own));
  } else {
    answer.text += BarsOfAccuracy(accuracies);
  }
  answer.text.pop_back();
  answer.json = {{"run", given.run},
                 {"round", report.round},
                 {"data", report.data},
                 {"accuracy", report.accuracy},
                 {"loss", report.loss},
                 {"users", report.users.size()},
                 {"accuracy_quartiles", Quartiles(accuracies)},
                 {"by_user", nlohmann::json::array()}};
  if (report.language) {
    answer.json["perplexity"] = std::exp(report.loss);
    answer.json["perplexity_quartiles"] = Quartiles(own);
  }
  for (const train::UserAccuracy& user : report.users) {
    answer.json["by_user"].push_back({{"user", user.user},
                                      {"examples", user.examples},
                                      {"correct", user.correct},
                                      {"loss", user.loss}});
    if (report.language) {
      answer.json["by_user"].back()["perplexity"] = std::exp(user.loss);
    }
  }
  if (!given.csv.empty()) {
    base::WriteFileAtomically(given.csv, Csv(report));
    answer.text += "\nTable    " + given.csv;
    answer.json["csv"] = given.csv;
  }
  return answer;
}

Answer Exposure(const EvalGiven& given) {
  const train::ExposureJob job{.folder = given.run,
                               .round = given.round,
                               .alternatives = given.alternatives};
  train::ExposureReport report;
  TorchFunction<decltype(train::SfumatoExposure)>("SfumatoExposure")(&job,
                                                                     &report);
  return ExposureAnswer(given.run, report);
}

const Registration kEval(
    {.path = "eval",
     .summary = "Judge a run's model on users' data, user by user. For "
                "generated and public data.",
     .example = "sfumato train quick --set rounds=5 --out judged\n"
                "sfumato eval judged\n"
                "sfumato train forum_canaries --out told\n"
                "sfumato eval told --exposure",
     .needs_torch = true,
     .define = [](CLI::App& app, const Common&) -> Action {
       auto given = std::make_shared<EvalGiven>();
       app.add_option("run", given->run, "The run's folder.")->required();
       auto* data = app.add_option(
           "--data", given->data,
           "A dataset to judge on (default: the run's test users).");
       app.add_option("--round", given->round,
                      "Use the checkpoint after round N (default: the last).")
           ->check(CLI::Range(std::int64_t{0}, std::int64_t{999'999}));
       auto* csv = app.add_option(
           "--csv", given->csv, "Also write this file, with one row per user.");
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
