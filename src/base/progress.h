// Progress of long work, on stderr: a meter with the time left on a terminal,
// a line for every twentieth in a log, nothing when quiet or when the work is
// over within half a second.
//
//   base::Progress progress("drawing", users, "writers");
//   for (std::uint64_t user = 0; user < users; ++user) {
//     Draw(user);
//     progress.Advance();
//   }
//
// Advance also notices Ctrl-C (CheckInterrupted), so a loop that reports
// progress can be interrupted.

#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace sfumato::base {

// How this process talks on stderr; set once by main.
struct Talk {
  bool quiet = false;
  bool mute = false;      // not even warnings: others sum up what was said
  bool terminal = false;  // stderr is one: colour and meters are welcome
  bool utf8 = false;      // the locale can show more than ASCII
};
Talk& ProcessTalk();

// `text` as it may be shown to a person: control characters become '?', and,
// where the locale shows nothing else, our own signs become ASCII.
std::string ForPeople(std::string text);

// To stderr as it stands. What cannot be written is lost: talk stops no work.
void Say(const std::string& text);
void Note(const std::string& line);     // one line of talk, unless quiet
void Warning(const std::string& line);  // the same, marked, even when quiet

struct ProgressOptions {
  std::uint64_t begun = 0;  // done before, by another process
  // Units that others do afterwards, at about the same pace: the time left is
  // that of everything.
  std::uint64_t later = 0;
  // Work on private data shows no time left: how long it takes is private too.
  bool shows_time = true;
};

// A stderr that takes nothing (a full disk, a closed pipe) stops no work.
class Progress {
 public:
  // `total` 0 means unknown: the meter then counts up.
  Progress(std::string label, std::uint64_t total, std::string unit,
           const ProgressOptions& options = {});
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `detail` stands behind the meter: "ε 0.81 of 2.00 · loss 1.23".
  void Advance(std::uint64_t amount = 1, const std::string& detail = "");

 private:
  using Clock = std::chrono::steady_clock;
  void Draw(Clock::time_point now);

  std::string label_;
  std::uint64_t total_;
  std::string unit_;
  std::string detail_;
  ProgressOptions options_;
  std::uint64_t done_ = 0;
  int last_twentieth_ = 0;
  bool drawn_ = false;
  Clock::time_point start_;
  Clock::time_point next_draw_;
};

// "12 s", "3 min 20 s", "2 h 05 min".
std::string HumanDuration(double seconds);
// "1,234,567".
std::string HumanCount(std::uint64_t value);
// "1 user", "1,234 users", "2 classes".
std::string HumanCount(std::uint64_t value, std::string_view noun);
// "12.3 MB".
std::string HumanBytes(std::uint64_t bytes);

}  // namespace sfumato::base
