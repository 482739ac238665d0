#include "data/import/gzip.h"

#include <gtest/gtest.h>

#include "data/import/import_testing.h"

namespace sfumato::data {
namespace {

TEST(GzipTest, InflatesWhatZlibPacked) {
  EXPECT_EQ(Gunzip(Gzip("hello"), "f"), "hello");
  EXPECT_EQ(Gunzip(Gzip(""), "f"), "");
}

TEST(GzipTest, JoinsMembers) {
  EXPECT_EQ(Gunzip(Gzip("one ") + Gzip("") + Gzip("two"), "f"), "one two");
}

TEST(GzipTest, TakesZeroBytesAfterTheEndForPadding) {
  EXPECT_EQ(Gunzip(Gzip("hello") + std::string(512, '\0'), "f"), "hello");
}

TEST(GzipTest, InflatesMoreThanOneChunk) {
  // Larger than the pieces that zlib is fed and drained with.
  std::string content;
  for (int i = 0; content.size() < (3u << 20); ++i) {
    content += std::to_string(i * 2654435761u);
  }
  EXPECT_EQ(Gunzip(Gzip(content), "f"), content);
}

TEST(GzipTest, RefusesEveryTruncation) {
  const std::string whole = Gzip("some content to cut");
  for (std::size_t size = 2; size < whole.size(); ++size) {
    EXPECT_EQ(ErrorOf([&] { Gunzip(whole.substr(0, size), "f.gz"); }),
              "bad_input: damaged gzip file: the file ends early | f.gz@" +
                  std::to_string(size) + " | fetch the file again");
  }
}

TEST(GzipTest, RefusesAFlippedChecksum) {
  std::string damaged = Gzip("some content");
  damaged[damaged.size() - 8] ^= 1;  // the CRC's first byte
  EXPECT_TRUE(
      ErrorOf([&] { Gunzip(damaged, "f.gz"); })
          .starts_with(
              "bad_input: damaged gzip file: incorrect data check | f.gz@"));
}

TEST(GzipTest, RefusesSomethingElseAfterTheEnd) {
  const std::string packed = Gzip("hello");
  EXPECT_EQ(ErrorOf([&] { Gunzip(packed + "x", "f.gz"); }),
            "bad_input: damaged gzip file: something else follows the gzip "
            "stream | f.gz@" +
                std::to_string(packed.size()) + " | fetch the file again");
}

TEST(GzipTest, RefusesToInflatePastTheLimit) {
  const std::string bomb = Gzip(std::string(1000, 'a'));
  EXPECT_EQ(Gunzip(bomb, "f", 1000).size(), 1000u);
  EXPECT_TRUE(ErrorOf([&] {
                Gunzip(bomb, "f", 999);
              }).starts_with("bad_input: inflates to more than 999 bytes"));
}

// Zeros pack to about a thousandth.
TEST(GzipTest, RefusesABombWhateverTheLimit) {
  EXPECT_EQ(Gunzip(Gzip(std::string(kHarmlessBytes, '\0')), "f").size(),
            kHarmlessBytes);
  ExpectContains(ErrorOf([&] {
                   Gunzip(Gzip(std::string(kHarmlessBytes + 1, '\0')), "f");
                 }),
                 "bad_input: inflates to more than 16777216 bytes");
}

TEST(GzipTest, NoticesAnInterrupt) {
  EXPECT_TRUE(StopsWhenInterrupted([] { Gunzip(Gzip("hello"), "f"); }));
}

TEST(GzipTest, TellsGzipByContentAndNotByName) {
  const TestFolder folder;
  EXPECT_EQ(ReadMaybeGzip(folder.Write("a.gz", "plain")), "plain");
  EXPECT_EQ(ReadMaybeGzip(folder.Write("b", Gzip("packed"))), "packed");
}

}  // namespace
}  // namespace sfumato::data
