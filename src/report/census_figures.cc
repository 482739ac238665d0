#include "report/census_figures.h"

#include <algorithm>
#include <cmath>

#include "base/html.h"
#include "base/printable.h"
#include "census/answer/share_text.h"
#include "fmt/format.h"
#include "report/axis_ticks.h"
#include "report/census_words.h"
#include "report/html_parts.h"
#include "report/number_text.h"
#include "report/row_chart.h"

namespace sfumato::report {
namespace {

using census::CellAnswer;
using census::CensusAnswer;
using runs::CensusRecord;

HtmlTable AnswerTable(const CensusRecord& record) {
  const bool two = IsTwo(record);
  const bool classes = IsOfClasses(record);
  HtmlTable table{.heads = {"answer"}, .rows = {}, .style = "estimates"};
  const auto heads = [&](std::initializer_list<const char*> more) {
    table.heads.insert(table.heads.end(), more.begin(), more.end());
  };
  if (two) {
    heads({"votes A", "votes B", "of A", "of B", "B − A", "95 %", "named"});
  } else {
    heads({"votes", classes ? "seen from" : "named from", "share", "95 %",
           classes ? "seen" : "named"});
  }
  table.wide = two;
  for (const CellAnswer& one :
       classes ? record.answer->answers : runs::Ranked(*record.answer)) {
    std::vector<std::string> row = {Escaped(one.words)};
    for (const double count : one.counts) row.push_back(CountText(count));
    const bool judged = IsFamily(one) || one.key == census::kNoneOfThese;
    if (two) {
      row.push_back(census::ShareText(one.share_a));
      row.push_back(census::ShareText(one.share_b));
    } else {
      row.push_back(judged ? CountText(one.threshold) : "–");
    }
    row.push_back(census::ShareText(one.share));
    row.push_back(IntervalText(one));
    row.push_back(one.supported ? "<strong>yes</strong>" : judged ? "no" : "–");
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Reference users by what was done to their data (rows) and how they voted.
Drawing ConfusionMap(const census::Calibration& calibration) {
  constexpr double kCell = 19;
  constexpr double kLeft = 270;
  constexpr double kHead = 22;
  const std::size_t columns = calibration.cells.size();
  Drawing drawing{
      .width = 760,
      .height =
          kHead + kCell * static_cast<double>(calibration.states.size()) + 6,
      .title = "How reference users voted",
      .description =
          "Rows: what was done to their data. Columns: the answers "
          "in the same order, then none of these and cannot tell."};
  const double cell =
      std::min(kCell, (drawing.width - kLeft) / static_cast<double>(columns));
  const auto x = [&](std::size_t a) {
    return kLeft + cell * static_cast<double>(a);
  };
  for (std::size_t a = 0; a < columns; ++a) {
    drawing.texts.push_back({.at = {x(a) + cell / 2, kHead - 7},
                             .text = a + 2 == columns   ? "?"
                                     : a + 1 == columns ? "–"
                                                        : fmt::format("{}", a),
                             .size = 10.5,
                             .anchor = Anchor::kMiddle,
                             .ink = kQuiet});
  }
  for (std::size_t s = 0; s < calibration.states.size(); ++s) {
    const census::State& state = calibration.states[s];
    const std::size_t own = calibration.CellOf(state.key);
    const double y = kHead + kCell * static_cast<double>(s);
    const std::string words =
        base::Printable(calibration.cells[own].words, {.most = 36});
    drawing.texts.push_back({.at = {kLeft - 9, y + 13.5},
                             .text = fmt::format("{}  {}", words, own),
                             .size = kSmall,
                             .anchor = Anchor::kEnd});
    double users = 0;
    std::vector<double> votes(columns, 0);
    for (const census::Tried& tried : state.tried) {
      users += static_cast<double>(tried.users);
      for (std::size_t a = 0; a < columns; ++a) {
        votes[a] += static_cast<double>(tried.votes[a]);
      }
    }
    for (std::size_t a = 0; a < columns; ++a) {
      const double rate = users > 0 ? votes[a] / users : 0;
      // Few votes are to be seen beside many.
      drawing.boxes.push_back(
          {.corner = {x(a) + 0.75, y + 0.75},
           .width = cell - 1.5,
           .height = kCell - 1.5,
           .ink = {
               .color = a == own ? "currentColor" : "#d9622b",
               .opacity = votes[a] > 0 ? 0.2 + 0.7 * std::sqrt(rate) : 0.04}});
    }
  }
  return drawing;
}

HtmlTable ConfusionTable(const census::Calibration& calibration) {
  HtmlTable table{.heads = {"done to their data", "strength", "users",
                            "voted so", "voted otherwise"},
                  .rows = {},
                  .style = "estimates",
                  .left = {1, 4},
                  .wide = true};
  for (const census::State& state : calibration.states) {
    const std::size_t own = calibration.CellOf(state.key);
    for (const census::Tried& tried : state.tried) {
      std::string others;
      for (std::size_t a = 0; a < tried.votes.size(); ++a) {
        if (a == own || tried.votes[a] == 0) continue;
        others +=
            fmt::format("{}{} {}", others.empty() ? "" : ", ", tried.votes[a],
                        Escaped(calibration.cells[a].words));
      }
      table.rows.push_back({Escaped(calibration.cells[own].words),
                            tried.values.empty() ? "–" : Escaped(tried.values),
                            fmt::format("{}", tried.users),
                            fmt::format("{}", tried.votes[own]),
                            others.empty() ? "–" : others});
    }
  }
  return table;
}

}  // namespace

std::string SharesFigure(const CensusRecord& record) {
  const bool two = IsTwo(record);
  RowChart chart{.title = two ? "Difference of shares" : "Shares of users",
                 .description = "Bars with intervals of 95 %.",
                 .x_label = two ? "share of B less share of A"
                                : "share of users, with its 95 % interval"};
  for (const CellAnswer& one : Shown(*record.answer)) {
    chart.rows.push_back(
        {.name = one.words,
         .value = one.share,
         .low = one.low,
         .high = one.high,
         .text = fmt::format("{} ({})", census::ShareText(one.share),
                             IntervalText(one)),
         .strong = one.supported});
  }
  const std::string title =
      fmt::format("<strong>{}</strong>",
                  two ? "How much more of B than of A" : "Who has what");
  const std::size_t folded = FoldedOf(*record.answer);
  if (IsOfClasses(record)) {
    return Figure(
        Draw(chart),
        fmt::format("{}: users who marked each class, of up to {} that a user "
                    "marks. Bold: more than {}.{}",
                    title, record.calibration.marks,
                    two ? "chance and noise explain" : "noise explains",
                    folded == 0 ? ""
                                : fmt::format(" {} other classes are in the "
                                              "table.",
                                              folded)),
        AnswerTable(record));
  }
  const std::string others =
      folded == 0
          ? ""
          : fmt::format(
                " {} other explanation{} {} not supported and "
                "{} in the table.",
                folded, folded == 1 ? "" : "s", folded == 1 ? "is" : "are",
                folded == 1 ? "stands" : "stand");
  return Figure(
      Draw(chart),
      fmt::format("{}, corrected for how reference users "
                  "voted. Bold: more than noise and wrong votes explain.{}",
                  title, others),
      AnswerTable(record));
}

std::string VotesFigure(const CensusRecord& record) {
  const bool two = IsTwo(record);
  RowChart chart{.title = two ? "Differences of votes" : "Votes",
                 .description = "Noisy counts, with what each had to reach.",
                 .x_label = two ? "votes of B less those of A (as many users)"
                                : "votes, with their noise",
                 .percent = false};
  const CensusAnswer& answer = *record.answer;
  HtmlTable table{.heads = {"answer", two ? "B less A" : "votes", "named from"},
                  .rows = {},
                  .style = "estimates"};
  for (const CellAnswer& one : answer.answers) {
    if (!IsFamily(one) && one.key != census::kNoneOfThese) continue;
    const double ratio =
        two && answer.users[0] > 0 ? answer.users[1] / answer.users[0] : 1;
    const double value =
        two ? one.counts[1] - ratio * one.counts[0] : one.counts[0];
    RowValue row{.name = one.words,
                 .value = value,
                 .low = value,
                 .high = value,
                 .text = CountText(value),
                 .strong = one.supported};
    if (one.threshold != 0) row.mark = one.threshold;
    table.rows.push_back({Escaped(one.words), CountText(value),
                          one.threshold != 0 ? CountText(one.threshold) : "–"});
    chart.rows.push_back(std::move(row));
  }
  if (chart.rows.empty()) return "";
  const std::string noise =
      fmt::format("± {}", NumberText(census::DeviationOf(record.noise), 2));
  return Figure(
      Draw(chart),
      fmt::format("<strong>{}</strong>, as released: each carries noise of {}, "
                  "so some are below 0. The broken line is what it had to "
                  "reach to be named{}.",
                  two ? "Votes of B less votes of A" : "Votes", noise,
                  two ? "; to the left, A has more" : ""),
      table);
}

std::string ConfusionFigure(const CensusRecord& record) {
  if (record.calibration.states.empty()) return "";
  return Figure(
      ConfusionMap(record.calibration),
      "<strong>How reference users voted</strong>: rows are what was done to "
      "their data, columns their votes; stronger is more. On the diagonal the "
      "vote was right; “?” is none of these, “–” cannot tell.",
      ConfusionTable(record.calibration));
}

}  // namespace sfumato::report
