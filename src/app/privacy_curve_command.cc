// `sfumato privacy curve`: epsilon against rounds, delta or population, drawn.

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/command.h"
#include "app/options.h"
#include "app/privacy_options.h"
#include "base/error.h"
#include "base/file.h"
#include "base/progress.h"
#include "dp/accounting/calibration.h"
#include "fmt/format.h"
#include "plan/guarantee_text.h"
#include "report/line_chart.h"
#include "report/number_text.h"
#include "report/text_table.h"

namespace sfumato::app {
namespace {

using nlohmann::json;

constexpr std::int64_t kMostPoints = 1000;

enum class Against { kRounds, kDelta, kPopulation };

struct CurveOptions {
  PrivacyOptions privacy;
  Against against = Against::kRounds;
  std::optional<double> from;
  std::optional<double> to;
  std::optional<std::int64_t> points = 40;
  std::string out;
};

constexpr const char* kWords[] = {"rounds", "delta", "population"};
const char* Word(Against against) { return kWords[static_cast<int>(against)]; }

// One accountant's line. The published one is quiet and dashed: no proof.
struct Curve {
  dp::Accountant accountant;
  const char* label;
  const char* color;
  std::vector<double> epsilon = {};
  std::string proof = "";
  std::string adjacency = "";
  std::string sampling = "";
  std::string unit = "";
};

struct Interval {
  double from = 0;
  double to = 0;
};

Error Missing(const char* name, const char* todo) {
  return BadInput("missing", name, todo);
}

Interval UsualInterval(const CurveOptions& options) {
  const PrivacyOptions& privacy = options.privacy;
  switch (options.against) {
    case Against::kRounds:
      if (!privacy.rounds && !options.to) {
        throw Missing("--rounds", "up to how many? or give --to");
      }
      return {1, static_cast<double>(privacy.rounds.value_or(1))};
    case Against::kDelta:
      return {1e-12,
              privacy.population
                  ? dp::UsualDelta(static_cast<double>(*privacy.population))
                  : 1e-3};
    case Against::kPopulation:
      break;
  }
  if (!privacy.cohort) {
    throw Missing("--cohort", "a cohort of the population has to be drawn");
  }
  if (!privacy.population && !(options.from && options.to)) {
    throw Missing("--population", "around which? or give --from and --to");
  }
  const auto cohort = static_cast<double>(*privacy.cohort);
  const auto population = static_cast<double>(privacy.population.value_or(1));
  // A delta that was given must stay below one over the population.
  const double most = privacy.delta ? std::ceil(1 / *privacy.delta) - 1 : 1e15;
  return {std::max(cohort, std::floor(population / 10)),
          std::min(population * 10, most)};
}

Interval IntervalOf(const CurveOptions& options) {
  Interval interval = UsualInterval(options);
  interval.from = options.from.value_or(interval.from);
  interval.to = options.to.value_or(interval.to);
  if (!(interval.from < interval.to)) {
    throw BadInput(
        fmt::format("from {} to {}", report::SmallText(interval.from),
                    report::SmallText(interval.to)),
        "--to", "end above the beginning");
  }
  if (*options.points < 2 || *options.points > kMostPoints) {
    throw BadInput(std::to_string(*options.points), "--points",
                   fmt::format("give a number from 2 to {}", kMostPoints));
  }
  if (options.against == Against::kDelta && !(interval.to < 1)) {
    throw BadInput(fmt::format("delta {}", report::SmallText(interval.to)),
                   "--to", "end below 1");
  }
  if (options.against != Against::kDelta && !(interval.from >= 1)) {
    throw BadInput(fmt::format("{} {}", report::SmallText(interval.from),
                               Word(options.against)),
                   "--from", "begin at 1 or more");
  }
  return interval;
}

// Even ratios for delta and population; for rounds steps that grow evenly,
// since the first ones cost most. Whole numbers where there are no others.
std::vector<double> Abscissae(const CurveOptions& options) {
  const Interval interval = IntervalOf(options);
  const auto last = static_cast<double>(*options.points - 1);
  std::vector<double> x;
  for (double i = 0; i <= last; ++i) {
    const double share = i / last;
    double value =
        options.against == Against::kRounds
            ? interval.from + share * share * (interval.to - interval.from)
            : interval.from * std::pow(interval.to / interval.from, share);
    if (options.against != Against::kDelta) value = std::round(value);
    if (i == last) value = interval.to;
    if (x.empty() || value > x.back()) x.push_back(value);
  }
  return x;
}

PrivacyOptions AtPoint(PrivacyOptions privacy, Against against, double x) {
  switch (against) {
    case Against::kRounds:
      privacy.rounds = static_cast<std::int64_t>(x);
      break;
    case Against::kDelta:
      privacy.delta = x;
      break;
    case Against::kPopulation:
      privacy.population = static_cast<std::int64_t>(x);
      break;
  }
  return privacy;
}

std::vector<Curve> Curves(const CurveOptions& options,
                          const std::vector<double>& x) {
  std::vector<Curve> curves = {{dp::Accountant::kPld, "pld", "#2577d0"},
                               {dp::Accountant::kRdp, "rdp", "#c45a1c"}};
  if (std::holds_alternative<dp::Poisson>(options.privacy.sampling) ||
      std::holds_alternative<dp::FixedSize>(options.privacy.sampling)) {
    curves.push_back(
        {dp::Accountant::kPublished, "published (no proof)", "currentColor"});
  }
  base::Progress progress("accounting", x.size(), "points");
  for (const double value : x) {
    const PrivacyOptions at = AtPoint(options.privacy, options.against, value);
    const dp::Event round = RoundOf(at);
    for (Curve& curve : curves) {
      const dp::Guarantee guarantee =
          dp::Account({&round, 1}, DeltaOf(at), curve.accountant);
      curve.epsilon.push_back(guarantee.epsilon);
      curve.proof = guarantee.proof;
      curve.adjacency = dp::Name(guarantee.adjacency);
      curve.sampling = guarantee.sampling;
      curve.unit = dp::Name(guarantee.unit);
    }
    progress.Advance();
  }
  return curves;
}

// A bound is rounded up; the published number is not a bound, and is rounded.
std::string CurveEpsilon(const Curve& curve, std::size_t i, int digits = 5) {
  const double epsilon = curve.epsilon[i];
  return curve.accountant == dp::Accountant::kPublished
             ? report::NumberText(epsilon, digits)
             : report::BoundText(epsilon, digits);
}

std::string AbscissaText(Against against, double x) {
  return against == Against::kDelta
             ? fmt::format("{:.2e}", x)
             : base::HumanCount(static_cast<std::uint64_t>(x));
}

// The settings that do not vary: "noise 1 · poisson, rate 0.004 · δ 4e-8".
std::string Settings(const CurveOptions& options) {
  const PrivacyOptions& privacy = options.privacy;
  const dp::Event round =
      RoundOf(AtPoint(privacy, options.against, Abscissae(options).back()));
  std::string text = fmt::format("noise {}", report::SmallText(*privacy.noise));
  if (options.against != Against::kRounds) {
    text += " · " + base::HumanCount(round.count, "round");
  }
  text += fmt::format(" · {}", dp::Name(round.sampling));
  if (options.against == Against::kPopulation) {
    text += fmt::format(" {} a round", base::HumanCount(*privacy.cohort));
  } else if (!std::holds_alternative<dp::All>(round.sampling)) {
    text += fmt::format(" {}", report::SmallText(dp::Rate(round.sampling)));
  }
  if (options.against != Against::kDelta) {
    text += privacy.delta || options.against == Against::kRounds
                ? fmt::format(" · δ {}", report::SmallText(DeltaOf(privacy)))
                : " · δ population^-1.1";
  }
  text += fmt::format(" · {} · {}", dp::Name(round.adjacency),
                      dp::Name(round.unit));
  // The recipe is about replace-one, whatever is drawn beside it.
  return std::holds_alternative<dp::Poisson>(round.sampling) &&
                 round.adjacency == dp::Adjacency::kAddRemove
             ? text + " (published: replace-one)"
             : text;
}

report::LineChart Chart(const CurveOptions& options,
                        const std::vector<double>& x,
                        const std::vector<Curve>& curves) {
  constexpr const char* kLabels[] = {"rounds", "δ", "users in the population"};
  report::LineChart chart{
      .title = fmt::format("ε against {}", Word(options.against)),
      .subtitle = Settings(options),
      .description = "",
      .x_axis = {.label = kLabels[static_cast<int>(options.against)],
                 .log = options.against != Against::kRounds},
      .y_axis = {.label = "ε", .log = false},
      .x = x,
      .series = {}};
  double least = INFINITY;
  double most = 0;
  for (const Curve& curve : curves) {
    for (const double epsilon : curve.epsilon) {
      if (!(epsilon > 0 && std::isfinite(epsilon))) continue;
      least = std::min(least, epsilon);
      most = std::max(most, epsilon);
    }
    chart.series.push_back(
        {.name = fmt::format("{} {}", curve.label,
                             CurveEpsilon(curve, x.size() - 1, 3)),
         .y = curve.epsilon,
         .color = curve.color,
         .dashed = curve.accountant == dp::Accountant::kPublished});
    chart.description += fmt::format("{}{}: {} at {}, {} at {}.",
                                     chart.description.empty() ? "" : " ",
                                     curve.label, CurveEpsilon(curve, 0),
                                     AbscissaText(options.against, x.front()),
                                     CurveEpsilon(curve, x.size() - 1),
                                     AbscissaText(options.against, x.back()));
  }
  // Rounds start from nothing; elsewhere a wide range needs a logarithm.
  chart.y_axis.log = options.against != Against::kRounds && most > 20 * least;
  return chart;
}

std::string CurveText(const CurveOptions& options, const std::vector<double>& x,
                      const std::vector<Curve>& curves) {
  std::vector<std::string> heads = {Word(options.against)};
  for (const Curve& curve : curves) heads.push_back(curve.label);
  report::TextTable table(heads);
  constexpr std::size_t kRows = 8;
  const std::size_t rows = std::min(kRows, x.size());
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t i =
        row * (x.size() - 1) / std::max<std::size_t>(1, rows - 1);
    std::vector<std::string> cells = {AbscissaText(options.against, x[i])};
    for (const Curve& curve : curves) cells.push_back(CurveEpsilon(curve, i));
    table.Add(cells);
  }
  return table.Text();
}

bool IsPng(const std::string& name) {
  const std::string ending = base::Path(name).extension();
  if (ending != ".svg" && ending != ".png") {
    throw BadInput(fmt::format("unknown ending '{}'", ending), name,
                   "name the picture .svg or .png");
  }
  return ending == ".png";
}

Answer DrawCurve(const CurveOptions& options) {
  const std::string picture = NewFileName(options.out, "curve.svg");
  const bool png = IsPng(picture);
  const std::vector<double> x = Abscissae(options);
  const std::vector<Curve> curves = Curves(options, x);
  const report::Drawing drawing = report::Draw(Chart(options, x, curves));
  base::WriteFileAtomically(picture,
                            png ? base::EncodePng(report::ToImage(drawing, 2))
                                : report::ToSvg(drawing));
  json series = json::array();
  for (const Curve& curve : curves) {
    json values = json::array();
    for (const double epsilon : curve.epsilon)
      values.push_back(report::Finite(epsilon));
    series.push_back({{"accountant", dp::Name(curve.accountant)},
                      {"proof", curve.proof},
                      {"adjacency", curve.adjacency},
                      {"sampling", curve.sampling},
                      {"unit", curve.unit},
                      {"epsilon", values}});
  }
  return {.text = fmt::format("{}   ε against {}: {}\n\n{}", picture,
                              Word(options.against), Settings(options),
                              CurveText(options, x, curves)),
          .json = {{"picture", picture},
                   {"settings", Settings(options)},
                   {"against", Word(options.against)},
                   {"x", x},
                   {"series", series}}};
}

const Registration kCurve(
    {.path = "privacy curve",
     .summary = "Draw epsilon against rounds, delta or population.",
     .example = "sfumato privacy curve --against rounds --noise 1 --rounds "
                "1000 --cohort 1000 --population 250000 --out curve.svg\n"
                "sfumato privacy curve --against population --noise 1 --rounds "
                "1000 --cohort 1000 --population 250000 --out curve.png",
     .define = [](CLI::App& app, const Common&) -> Action {
       auto options = std::make_shared<CurveOptions>();
       AddChoice<Against>(app, "--against", options->against,
                          {{"rounds", Against::kRounds},
                           {"delta", Against::kDelta},
                           {"population", Against::kPopulation}},
                          "What varies from left to right.");
       AddPositive(app, "--from", options->from, "Where it begins.");
       AddPositive(app, "--to", options->to, "Where it ends.");
       AddCount(app, "--points", options->points,
                "How many are computed, up to 1000.")
           ->option_text("NUMBER=40");
       AddNoise(app, options->privacy)->required();
       AddRounds(app, options->privacy);
       AddSampling(app, options->privacy);
       AddDelta(app, options->privacy);
       app.add_option("--out", options->out,
                      "The picture to make, .svg or .png (default: curve.svg, "
                      "or curve-2.svg, … when that is taken).");
       return [options] { return DrawCurve(*options); };
     }});

}  // namespace
}  // namespace sfumato::app
