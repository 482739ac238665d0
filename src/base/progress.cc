#include "base/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <utility>

#include "base/interrupt.h"
#include "fmt/format.h"

namespace sfumato::base {
namespace {

constexpr auto kFirstDraw = std::chrono::milliseconds(500);
constexpr auto kNextDraw = std::chrono::milliseconds(200);
constexpr int kMeterWidth = 20;

int TerminalWidth() {
  winsize size = {};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0
             ? size.ws_col
             : 80;
}

// `line` in one row of the terminal: without the bar's signs, then without its
// end, when it is too long.
std::string Fitted(std::string line, int width) {
  const auto length = [&] {  // letters, not bytes
    return std::count_if(line.begin(), line.end(),
                         [](char c) { return (c & 0xC0) != 0x80; });
  };
  if (length() < width) return line;
  for (const std::string& sign : {std::string("█"), std::string("#")}) {
    for (auto at = line.find(sign); at != std::string::npos;
         at = line.find(sign)) {
      line.erase(at, sign.size());
    }
  }
  for (auto at = line.find("··"); at != std::string::npos;
       at = line.find("··")) {
    line.erase(at, std::string("·").size());
  }
  while (length() >= width) {
    const auto cut = line.rfind(" · ");
    if (cut == std::string::npos) break;
    line.erase(cut);
  }
  return line;
}

std::string Meter(double share) {
  const int full = static_cast<int>(share * kMeterWidth);
  std::string meter;
  for (int i = 0; i < kMeterWidth; ++i) {
    if (ProcessTalk().utf8) {
      meter += i < full ? "█" : "·";
    } else {
      meter += i < full ? "#" : ".";
    }
  }
  return meter;
}

}  // namespace

Talk& ProcessTalk() {
  static Talk talk;
  return talk;
}

std::string ForPeople(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
      {"—", "-"},  {"–", "-"},       {"…", "..."},   {"×", "x"},
      {"³", "^3"}, {"·", "|"},       {"✓", "ok"},    {"✗", "x"},
      {"␣", "_"},  {"ε", "epsilon"}, {"δ", "delta"}, {"σ", "sigma"},
      {"é", "e"}};
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool control = (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
    // U+0080 … U+009F steer terminals too.
    const bool high_control =
        c == 0xc2 && i + 1 < text.size() &&
        (static_cast<unsigned char>(text[i + 1]) & 0xe0) == 0x80;
    if (control) text[i] = '?';
    if (high_control) text.replace(i, 2, "?");
  }
  if (ProcessTalk().utf8) return text;
  for (const auto& [sign, plain] : kSigns) {
    for (auto at = text.find(sign); at != std::string::npos;
         at = text.find(sign, at + plain.size())) {
      text.replace(at, sign.size(), plain);
    }
  }
  return text;
}

void Say(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void Note(const std::string& line) {
  if (!ProcessTalk().quiet) Say(ForPeople(line) + "\n");
}

void Warning(const std::string& line) {
  if (ProcessTalk().mute) return;
  Say(ForPeople("warning: " + line) + "\n");
}

Progress::Progress(std::string label, std::uint64_t total, std::string unit,
                   const ProgressOptions& options)
    : label_(std::move(label)),
      total_(total),
      unit_(std::move(unit)),
      options_(options),
      done_(options.begun),
      start_(Clock::now()),
      next_draw_(start_ + kFirstDraw) {}

Progress::~Progress() {
  if (drawn_ && ProcessTalk().terminal) Say("\r\033[K");
}

void Progress::Advance(std::uint64_t amount, const std::string& detail) {
  CheckInterrupted();
  detail_ = detail;
  done_ += amount;
  const auto now = Clock::now();
  if (!ProcessTalk().quiet && now >= next_draw_) Draw(now);
}

void Progress::Draw(Clock::time_point now) {
  next_draw_ = now + kNextDraw;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::string line;
  if (total_ == 0) {
    line = fmt::format("{} {} {}", label_, HumanCount(done_), unit_);
  } else {
    const double share =
        std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_));
    line = fmt::format("{} {}/{} {} {} {:.0f}%", label_, HumanCount(done_),
                       HumanCount(total_), unit_, Meter(share), 100 * share);
    if (!detail_.empty()) line += " · " + detail_;
    if (options_.shows_time) {
      const double rest = static_cast<double>(total_ - std::min(done_, total_) +
                                              options_.later);
      const double here = static_cast<double>(done_ - options_.begun);
      line += fmt::format(" · {} left{}", HumanDuration(seconds * rest / here),
                          options_.later > 0 ? " in all" : "");
    }
    const int twentieth = static_cast<int>(share * 20);
    if (!ProcessTalk().terminal && twentieth <= last_twentieth_) return;
    last_twentieth_ = twentieth;
  }
  drawn_ = true;
  if (ProcessTalk().terminal) {
    line = Fitted(line + " · Ctrl-C stops", TerminalWidth());
    Say("\r\033[K" + ForPeople(line));
  } else if (total_ != 0) {
    Say(ForPeople(line) + "\n");
  }
}

std::string HumanDuration(double seconds) {
  if (!(seconds < 1e9)) return "very long";
  const auto whole = static_cast<std::uint64_t>(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::string HumanCount(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (int i = static_cast<int>(digits.size()) - 3; i > 0; i -= 3) {
    digits.insert(static_cast<std::size_t>(i), ",");
  }
  return digits;
}

std::string HumanCount(std::uint64_t value, std::string_view noun) {
  const char* several = noun.ends_with('s') ? "es" : "s";
  return fmt::format("{} {}{}", HumanCount(value), noun,
                     value == 1 ? "" : several);
}

std::string HumanBytes(std::uint64_t bytes) {
  constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  while (value >= 999.5 && unit < 6) {
    value /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes)
                   : fmt::format("{:.3g} {}", value, kUnits[unit]);
}

}  // namespace sfumato::base
