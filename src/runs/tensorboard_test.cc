#include "runs/tensorboard.h"

#include <cstring>

#include "base/crc32c.h"
#include "runs/runs_testing.h"

namespace sfumato::runs {
namespace {

// The records of a file, each with its two checksums checked.
std::vector<std::string> Records(const base::Path& path) {
  const std::string file = base::ReadFile(path);
  std::vector<std::string> records;
  const auto sum_at = [&](std::size_t offset) {
    std::uint32_t sum = 0;
    std::memcpy(&sum, file.data() + offset, 4);
    sum -= 0xA282EAD8u;
    return sum << 15 | sum >> 17;
  };
  for (std::size_t at = 0; at < file.size();) {
    std::uint64_t size = 0;
    std::memcpy(&size, file.data() + at, 8);
    EXPECT_EQ(sum_at(at + 8), base::Crc32c(file.substr(at, 8)));
    records.push_back(file.substr(at + 12, size));
    EXPECT_EQ(sum_at(at + 12 + size), base::Crc32c(records.back()));
    at += 12 + size + 4;
  }
  return records;
}

// 1.0 as little-endian bytes, double and float.
const std::string kOneDouble("\0\0\0\0\0\0\xF0\x3F", 8);
const std::string kOneFloat("\0\0\x80\x3F", 4);

TEST(EventFileTest, WritesScalarsByteByByte) {
  EventFile file(FreshPath(), Gate::Simulation(), {.seconds = 1});
  file.Append(3, 1, {Public("ab", 1.0)});
  EXPECT_EQ(file.path().filename(), "events.out.tfevents.0000000001.sfumato");
  const auto records = Records(file.path());
  ASSERT_EQ(records.size(), 3u);
  // By hand from the field numbers: 09 wall_time, 10 step, 1a file_version;
  // 3a session_log { 08 status }; 2a summary { 0a value { 0a tag, 15
  // simple_value } }.
  EXPECT_EQ(records[0], "\x09" + kOneDouble + std::string("\x10\0", 2) +
                            "\x1A\x0D"
                            "brain.Event:2");
  EXPECT_EQ(records[1], "\x09" + kOneDouble + std::string("\x10\0", 2) +
                            "\x3A\x02\x08\x01");
  EXPECT_EQ(records[2], "\x09" + kOneDouble +
                            "\x10\x03"
                            "\x2A\x0B"
                            "\x0A\x09"
                            "\x0A\x02"
                            "ab"
                            "\x15" +
                            kOneFloat);
}

TEST(EventFileTest, OutsideSimulationNothingPrivateIsWritten) {
  EventFile file(FreshPath(), Gate::PrivateData(), {.seconds = 1});
  file.Append(1, 77.25, {SimulationOnly("canary", 1.0)});
  EXPECT_EQ(Records(file.path()).size(), 2u) << "not even that it happened";
  file.Append(2, 77.25,
              {SimulationOnly("canary", "canary"), Public("ab", 1.0)});
  const auto records = Records(file.path());
  ASSERT_EQ(records.size(), 3u);
  EXPECT_FALSE(Contains(records[2], "canary"));
  EXPECT_TRUE(Contains(records[2], "ab"));
  EXPECT_TRUE(Contains(records[2], kOneDouble)) << "times are private too";
}

TEST(EventFileTest, AnotherProcessWritesAnotherFile) {
  const base::Path folder = FreshPath();
  const EventFile first(folder, Gate::Simulation(), {.seconds = 1.5});
  const EventFile second(folder, Gate::Simulation(),
                         {.seconds = 1.25, .after_round = 120});
  EXPECT_EQ(NamesIn(folder),
            (std::set<std::string>{"events.out.tfevents.0000000001.sfumato",
                                   "events.out.tfevents.0000000002.sfumato"}));
  const auto records = Records(second.path());
  ASSERT_EQ(records.size(), 2u);
  // step 121, session_log { status: START }
  EXPECT_TRUE(records[1].ends_with("\x10\x79\x3A\x02\x08\x01"));
}

TEST(EventFileTest, AFolderThatCannotBeMadeIsUnavailable) {
  const base::Path file = FreshPath();
  base::WriteFileAtomically(file, "a file");
  const Error error = Thrown(
      [&] { EventFile(file / "tb", Gate::Simulation(), {.seconds = 1}); });
  EXPECT_EQ(error.kind(), ErrorKind::kUnavailable);
}

}  // namespace
}  // namespace sfumato::runs
