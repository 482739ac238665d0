#include "data/import/archive.h"

#include <string>
#include <utility>
#include <vector>

#include "data/import/import_testing.h"
#include "gtest/gtest.h"

#if SFUMATO_HAS_ARCHIVE
#include <archive.h>
#include <archive_entry.h>
#endif

namespace sfumato::data {
namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

Files FilesOf(const base::Path& input, const ArchiveLimits& limits = {}) {
  Files files;
  ForEachFile(
      input,
      [&](const std::string& path, std::string_view bytes) {
        files.emplace_back(path, bytes);
      },
      limits);
  return files;
}

TEST(FolderWalkTest, VisitsFilesInTheOrderOfTheirPaths) {
  const TestFolder test;
  const base::Path folder = test / "in";
  test.Write("in/b/2", "two");
  test.Write("in/b/1", "one");
  test.Write("in/a.txt", "");
  test.Write("in/é/x y", "utf8");
  test.Write("in/.hidden", "no");
  test.Write("in/.git/x", "no");
  test.Write("in/__MACOSX/x", "no");
  std::filesystem::create_symlink("nowhere", folder / "broken");
  std::filesystem::create_symlink("loop", folder / "loop");
  std::filesystem::create_directory_symlink(".", folder / "b" / "up");
  EXPECT_EQ(
      FilesOf(folder),
      (Files{
          {"a.txt", ""}, {"b/1", "one"}, {"b/2", "two"}, {"é/x y", "utf8"}}));
}

// Longer than the limit, but the first bytes say that nobody wants it.
TEST(FolderWalkTest, ReadsNoFurtherThanTheHeadOfWhatIsNotWanted) {
  const TestFolder test;
  test.Write("in/a", "yes");
  test.Write("in/b", "no" + std::string(5000, '.'));
  test.Write("in/c", "");
  ArchiveLimits limits = {.entry_bytes = 1000};
  limits.wanted = [](std::string_view head) {
    EXPECT_LE(head.size(), 64u);
    return head.starts_with("yes");
  };
  EXPECT_EQ(FilesOf(test / "in", limits), (Files{{"a", "yes"}}));
}

TEST(FolderWalkTest, RefusesWhatIsWrong) {
  const TestFolder test;
  const base::Path folder = test / "in";
  ExpectContains(ErrorOf([&] { FilesOf(folder / "missing"); }),
                 "bad_input: no such file or folder");
  test.Write("in/big", "12345");
  const std::string too_big =
      ErrorOf([&] { FilesOf(folder, {.entry_bytes = 4}); });
  ExpectContains(too_big, "bad_input: ");
  ExpectContains(too_big, "big");
  std::filesystem::remove(folder / "big");
  test.Write("in/\xff", "x");
  const std::string not_utf8 = ErrorOf([&] { FilesOf(folder); });
  ExpectContains(not_utf8, "bad_input: ");
  ExpectContains(not_utf8, "not UTF-8");
}

#if SFUMATO_HAS_ARCHIVE

// A zip or tar with `files`, in this order; a name that ends in '/' is a
// folder, content "->x" a link.
std::string MakeArchive(const std::string& format, const Files& files) {
  archive* out = archive_write_new();
  if (format == "zip") {
    archive_write_set_format_zip(out);
  } else {
    archive_write_set_format_pax_restricted(out);
    if (format == "tar.gz") archive_write_add_filter_gzip(out);
  }
  std::string bytes(1 << 20, '\0');
  std::size_t used = 0;
  archive_write_open_memory(out, bytes.data(), bytes.size(), &used);
  for (const auto& [name, content] : files) {
    archive_entry* entry = archive_entry_new();
    archive_entry_copy_pathname(entry, name.c_str());
    archive_entry_set_perm(entry, 0644);
    if (name.ends_with('/')) {
      archive_entry_set_filetype(entry, AE_IFDIR);
    } else if (content.starts_with("->")) {
      archive_entry_set_filetype(entry, AE_IFLNK);
      archive_entry_set_symlink(entry, content.c_str() + 2);
    } else {
      archive_entry_set_filetype(entry, AE_IFREG);
      archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
    }
    archive_write_header(out, entry);
    if (archive_entry_filetype(entry) == AE_IFREG) {
      archive_write_data(out, content.data(), content.size());
    }
    archive_entry_free(entry);
  }
  archive_write_close(out);
  archive_write_free(out);
  bytes.resize(used);
  return bytes;
}

std::string Noise(std::size_t size) {
  std::string noise;
  std::uint32_t x = 1;
  while (noise.size() < size) {
    x = x * 1664525u + 1013904223u;
    noise += static_cast<char>(x >> 24);
  }
  return noise;
}

TEST(ArchiveTest, PassesOverLongEntriesThatAreNotWanted) {
  for (const char* format : {"zip", "tar", "tar.gz"}) {
    const TestFolder test;
    const base::Path path =
        test.Write("a", MakeArchive(format, {{"film", "no" + Noise(900'000)},
                                             {"image", "yes" + Noise(100)}}));
    ArchiveLimits limits = {.entry_bytes = 600'000};
    limits.wanted = [](std::string_view head) {
      return head.starts_with("yes");
    };
    EXPECT_EQ(FilesOf(path, limits), (Files{{"image", "yes" + Noise(100)}}))
        << format;
    limits.wanted = {};
    ExpectContains(ErrorOf([&] { FilesOf(path, limits); }),
                   "bad_input: an entry of more than");
  }
}

TEST(ArchiveTest, VisitsTheFilesOfEveryFormat) {
  const Files in = {{"set/", ""},
                    {"set/b/1.png", "one"},
                    {"./set/a", ""},
                    {"set/.DS_Store", "no"},
                    {"__MACOSX/set/b/1.png", "no"},
                    {"set/link", "->a"},
                    {"set/big", Noise(300000)}};
  const Files expected = {
      {"set/b/1.png", "one"}, {"set/a", ""}, {"set/big", Noise(300000)}};
  for (const std::string format : {"zip", "tar", "tar.gz"}) {
    // The name says nothing: content decides.
    const TestFolder folder;
    const base::Path path = folder.Write("file", MakeArchive(format, in));
    EXPECT_EQ(FilesOf(path), expected) << format;
  }
}

TEST(ArchiveTest, ReadsNamesBeyondAscii) {
  for (const std::string format : {"zip", "tar"}) {
    const TestFolder folder;
    const base::Path path =
        folder.Write("x", MakeArchive(format, {{"é/ü.png", "x"}}));
    EXPECT_EQ(FilesOf(path), (Files{{"é/ü.png", "x"}})) << format;
  }
}

TEST(ArchiveTest, RefusesWhatIsWrong) {
  const std::string noise = Noise(100000);
  const std::string tar = MakeArchive("tar", {{"a", "1"}, {"b", noise}});
  const std::string zip = MakeArchive("zip", {{"a", "1"}, {"b", noise}});
  std::string bad_crc = zip;
  bad_crc[bad_crc.find(noise.substr(5000, 50))] ^= 1;
  struct Case {
    const char* name;
    std::string bytes;
    ArchiveLimits limits;
    std::vector<const char*> says;
  };
  const Case cases[] = {
      {"empty", "", {}, {"neither a folder nor a whole zip or tar"}},
      {"text",
       "just some words",
       {},
       {"neither a folder nor a whole zip or tar"}},
      {"tar cut", tar.substr(0, 50000), {}, {"file:b", "damaged"}},
      {"zip cut", zip.substr(0, 50000), {}, {"file:b", "damaged"}},
      {"zip with a wrong checksum", bad_crc, {}, {"file:b", "damaged"}},
      {"gzip cut",
       MakeArchive("tar.gz", {{"a", "1"}, {"b", Noise(300000)}})
           .substr(0, 200000),
       {},
       {"file:b", "damaged"}},
      {"absolute", MakeArchive("tar", {{"/etc/x", "1"}}), {}, {"absolute"}},
      {"climbing", MakeArchive("tar", {{"a/../../x", "1"}}), {}, {"climbs"}},
      {"twice", MakeArchive("tar", {{"a", "1"}, {"./a", "2"}}), {}, {"twice"}},
      {"not UTF-8", MakeArchive("tar", {{"\xff\xfe", "1"}}), {}, {"UTF-8"}},
      {"too many", tar, {.entries = 1}, {"more than 1 entries"}},
      {"too large",
       tar,
       {.entry_bytes = 99999},
       {"file:b", "an entry of more"}},
      {"too much",
       tar,
       {.total_bytes = 100000},
       {"file:b", "an archive of more"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const TestFolder folder;
    const base::Path path = folder.Write("file", c.bytes);
    const std::string error = ErrorOf([&] { FilesOf(path, c.limits); });
    ExpectContains(error, "bad_input: ");
    for (const char* part : c.says) ExpectContains(error, part);
  }
}

#else

TEST(ArchiveTest, IsNamedWhenMissing) {
  const TestFolder folder;
  const base::Path path = folder.Write("a.zip", "PK");
  const std::string error = ErrorOf([&] { FilesOf(path); });
  ExpectContains(error, "unsupported: ");
  ExpectContains(error, "libarchive");
}

#endif

}  // namespace
}  // namespace sfumato::data
