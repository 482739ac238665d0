// `sfumato sample`: images or text from a run's model, or from each of an
// inspection's.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <ranges>
#include <utility>

#include "app/command.h"
#include "app/torch_part.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/progress.h"
#include "fmt/format.h"
#include "report/terminal_picture.h"
#include "runs/checkpoint.h"
#include "runs/inspection.h"
#include "runs/run.h"
#include "runs/sample_set.h"
#include "runs/text_samples.h"
#include "train/sampling.h"

namespace sfumato::app {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostImages = 100'000;
constexpr int kShown = 8;  // lines of text on the terminal

struct SampleGiven {
  std::string run;
  std::string out;
  std::string label;
  std::int64_t count = 256;
  std::int64_t round = -1;
  std::uint64_t seed = 1;
  bool npz = false;
  bool images = false;
};

// A run, and where its images go.
struct Drawing {
  std::string name;
  base::Path run;
  base::Path to;
};

// An inspection that was stopped has some of its models, or none.
void CheckTrained(const std::string& folder,
                  const runs::InspectionRecord& record,
                  const std::vector<Drawing>& drawings) {
  const bool finished = record.status == runs::Status::kFinished;
  if (drawings.empty() && finished) {
    throw BadInput("an inspection that trained no model", folder,
                   "nobody was left to compare; there is nothing to draw");
  }
  const auto trained = [](const Drawing& drawing) {
    return runs::LatestCheckpoint(drawing.run / "checkpoints").has_value();
  };
  const auto there = std::ranges::count_if(drawings, trained);
  if (!drawings.empty() && std::cmp_equal(there, drawings.size())) return;
  std::string todo = "resume it first: sfumato resume " + folder;
  if (there > 0) {
    todo += fmt::format("; or draw from one that has: sfumato sample {}",
                        std::ranges::find_if(drawings, trained)->run.string());
  }
  throw BadInput(
      drawings.empty()
          ? "an inspection without a trained model"
          : fmt::format("an inspection of which {} of {} models have anything "
                        "to draw with yet",
                        there, drawings.size()),
      folder, todo);
}

std::vector<Drawing> DrawingsOf(const SampleGiven& given) {
  const base::Path folder = base::NormalFolder(given.run);
  const auto to = [&](const base::Path& run, const std::string& name) {
    if (given.out.empty()) return run / "samples";
    return name.empty() ? base::Path(given.out) : base::Path(given.out) / name;
  };
  if (!runs::IsInspection(folder)) {
    return {{.name = folder.filename().string(),
             .run = folder,
             .to = to(folder, "")}};
  }
  const runs::InspectionRecord record = runs::ReadInspection(folder);
  std::vector<Drawing> drawings;
  for (const runs::SideRecord& side : {record.a, record.b}) {
    for (const std::string& name : side.runs) {
      drawings.push_back(
          {.name = fmt::format("{}/{}", folder.filename().string(), name),
           .run = folder / name,
           .to = to(folder / name, name)});
    }
  }
  CheckTrained(given.run, record, drawings);
  return drawings;
}

// Before anything is drawn.
void CheckFiles(const SampleGiven& given,
                const std::vector<Drawing>& drawings) {
  if (!given.npz && !given.images) return;
  for (const Drawing& drawing : drawings) {
    if (!config::ModelsLanguage(runs::ReadRun(drawing.run).config)) continue;
    throw BadInput("text, and files of images", "--npz, --folder",
                   "leave them out: text is written as JSON lines");
  }
}

void CheckOut(const std::string& out) {
  if (out.empty() || !fs::exists(out)) return;
  if (fs::is_directory(out) && fs::is_empty(out)) return;
  throw BadInput("already exists", out,
                 "choose another name, or remove it first");
}

void WriteImages(const SampleGiven& given, const Drawing& drawing,
                 const train::SampleOutcome& outcome, Answer& answer) {
  const std::vector<std::string> files =
      runs::WriteSampleSet(drawing.to, {.samples = outcome.samples,
                                        .label = outcome.metadata,
                                        .classes = outcome.classes,
                                        .name = drawing.name,
                                        .seed = given.seed,
                                        .npz = given.npz,
                                        .images = given.images});
  report::ShowPicture(
      runs::GridOf(outcome.samples, {.columns = 5, .rows = 1, .scale = 1}));
  answer.text += fmt::format(
      "Drew     {} of {} after {} into {}\n",
      base::HumanCount(outcome.samples.count(), "image"), drawing.name,
      base::HumanCount(static_cast<std::uint64_t>(outcome.samples.round),
                       "round"),
      drawing.to.string());
  answer.json["sets"].push_back({{"run", drawing.run.string()},
                                 {"round", outcome.samples.round},
                                 {"folder", drawing.to.string()},
                                 {"files", files}});
}

// The first sentences, or the likeliest words, for people to read.
std::string FewLines(const runs::TextSamples& text) {
  std::string lines;
  for (const auto& sentence : text.sentences | std::views::take(kShown)) {
    std::string line;
    for (const std::string& word : sentence) {
      line += (line.empty() ? "" : " ") + (word.empty() ? "UNK" : word);
    }
    lines += "  " + base::Printable(line) + "\n";
  }
  if (!text.top.empty()) lines += "Likeliest unknown words, probability\n";
  for (const runs::RankedWord& top : text.top | std::views::take(kShown)) {
    lines += fmt::format("  {:<24} {:.2e}\n", base::Printable(top.word),
                         std::exp(top.log_probability));
  }
  return lines;
}

void WriteText(const Drawing& drawing, const runs::TextSamples& text,
               Answer& answer) {
  runs::WriteTextSamples(drawing.to, text, drawing.name);
  answer.text += FewLines(text);
  const bool words = text.sentences.empty();
  double count = static_cast<double>(text.sentences.size());
  for (const runs::DrawnWord& word : text.words) count += word.count;
  answer.text += fmt::format(
      "Drew     {} of {} after {} into {}\n",
      base::HumanCount(static_cast<std::uint64_t>(count),
                       words ? "word" : "sentence"),
      drawing.name,
      base::HumanCount(static_cast<std::uint64_t>(text.round), "round"),
      drawing.to.string());
  nlohmann::json top = nlohmann::json::array();
  for (const runs::RankedWord& word : text.top) {
    top.push_back({{"word", base::Printable(word.word)},
                   {"probability", std::exp(word.log_probability)}});
  }
  answer.json["sets"].push_back({{"run", drawing.run.string()},
                                 {"round", text.round},
                                 {"folder", drawing.to.string()},
                                 {"drawn", count},
                                 {"top", top}});
}

Answer Sample(const SampleGiven& given) {
  CheckOut(given.out);
  const std::vector<Drawing> drawings = DrawingsOf(given);
  CheckFiles(given, drawings);
  // All are drawn before the first is written: bad input leaves nothing.
  std::vector<std::pair<Drawing, train::SampleOutcome>> drawn;
  for (const Drawing& drawing : drawings) {
    const train::SampleJob job{.folder = drawing.run,
                               .round = given.round,
                               .count = given.count,
                               .label = given.label,
                               .seed = given.seed};
    drawn.emplace_back(drawing, train::SampleOutcome{});
    TorchFunction<decltype(train::SfumatoSample)>("SfumatoSample")(
        &job, &drawn.back().second);
  }
  Answer answer;
  answer.json = {{"count", given.count},
                 {"seed", given.seed},
                 {"epsilon_spent", 0},
                 {"sets", nlohmann::json::array()}};
  try {
    for (const auto& [drawing, outcome] : drawn) {
      if (outcome.text) {
        WriteText(drawing, *outcome.text, answer);
      } else {
        WriteImages(given, drawing, outcome, answer);
      }
    }
  } catch (const Error&) {
    // A full disk leaves no part; CheckOut saw that nothing was there.
    std::error_code ignored;
    if (!given.out.empty()) fs::remove_all(given.out, ignored);
    throw;
  }
  answer.text += "Costs    0 ε: drawing costs nothing";
  return answer;
}

const Registration kSample(
    {.path = "sample",
     .summary = "Draw images or text from a run's model, or from each of an "
                "inspection's. It costs no privacy.",
     .example = "sfumato train handwriting_gan --set "
                "preset=gan_quick --set rounds=5 --set data.users=50 --out "
                "drawing\n"
                "sfumato sample drawing --count 100 --npz",
     .needs_torch = true,
     .define = [](CLI::App& app, const Common& common) -> Action {
       auto given = std::make_shared<SampleGiven>();
       app.add_option("run", given->run,
                      "The folder of a run or an inspection.")
           ->required();
       app.add_option(
              "--count", given->count,
              "Images, sentences or words from each model (default: 256).")
           ->check(CLI::Range(std::int64_t{1}, kMostImages));
       app.add_option("--round", given->round,
                      "Use the checkpoint after round N (default: the last).")
           ->check(CLI::Range(std::int64_t{0}, std::int64_t{999'999}));
       app.add_option("--label", given->label,
                      "Only images of this class, by name or number; for "
                      "conditional generators.");
       app.add_option("--out", given->out,
                      "A new folder for them (default: samples/ of the run).");
       app.add_flag("--npz", given->npz, "Write samples.npz for NumPy too.");
       app.add_flag("--folder", given->images,
                    "Write every image as a PNG too, with metadata.jsonl.");
       return [given, &common] {
         given->seed = common.seed;
         return Sample(*given);
       };
     }});

}  // namespace
}  // namespace sfumato::app
