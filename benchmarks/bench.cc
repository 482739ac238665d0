// Measures what the documentation claims, one row a figure:
//
//   build/release/benchmarks/bench            # everything
//   build/release/benchmarks/bench training   # that part alone
//
// Each row has what was asked for, what was measured here, and, where there is
// something a user would use instead, that measured in the same run. Real data
// is taken from $SFUMATO_DATA or ../shared/data when it is there.

#include <zlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "accounting.h"
#include "base/file.h"
#include "base/random.h"
#include "data/dataset.h"
#include "data/dataset_writer.h"
#include "data/generate/forum.h"
#include "data/generate/handwriting.h"
#include "data/import/import_idx.h"
#include "dp/mechanisms/grid_gaussian.h"
#include "fmt/format.h"
#include "table.h"
#include "training.h"

#if SFUMATO_HAS_HDF5
#include <hdf5.h>
#endif

namespace sfumato {
namespace {

namespace fs = std::filesystem;
double ResidentMegabytes() {
  std::ifstream status("/proc/self/statm");
  long total = 0;
  long resident = 0;
  status >> total >> resident;
  return static_cast<double>(resident) * 4096 / 1e6;
}

void RunShell(const std::string& command) {
  if (std::system(command.c_str()) != 0) {
    fmt::print(stderr, "failed: {}\n", command);
    std::exit(1);
  }
}

bool HavePython() { return std::system("python3 -c '' 2>/dev/null") == 0; }

void BenchStart(const base::Path& program) {
  constexpr int kTimes = 20;
  const auto run = [](const std::string& command) {
    return BestSeconds([&] {
             for (int i = 0; i < kTimes; ++i) RunShell(command);
           }) /
           kTimes;
  };
  const double shell = run("true");
  const double ours = run(program.string() + " --version >/dev/null") - shell;
  Row("start of the program", "≤ 20 ms", fmt::format("{:.1f} ms", 1e3 * ours),
      HavePython() ? fmt::format("empty `python3` {:.1f} ms",
                                 1e3 * (run("python3 -c ''") - shell))
                   : "–");
}

void BenchHandwriting() {
  const data::Handwriting handwriting({.users = 300, .seed = 1});
  std::size_t images = 0;
  const double seconds = Seconds([&] {
    for (std::uint64_t writer = 0; writer < 300; ++writer) {
      images += handwriting.Writer(writer).labels.size();
    }
  });
  Row("handwriting, one core", "≥ 20,000 images/s",
      fmt::format("{:.0f} images/s", static_cast<double>(images) / seconds));
}

void BenchForum() {
  const data::Forum forum({.users = 400, .seed = 1});
  std::size_t sentences = 0;
  const double seconds = Seconds([&] {
    for (std::uint64_t user = 0; user < 400; ++user) {
      sentences += forum.Sentences(user).size();
    }
  });
  Row("forum, one core", "–",
      fmt::format("{:.0f} sentences/s",
                  static_cast<double>(sentences) / seconds));
}

// The least any reader must do: inflate the same files.
void InflateAll(const base::Path& folder) {
  std::vector<char> buffer(1 << 20);
  for (const auto& entry : fs::directory_iterator(folder)) {
    gzFile file = gzopen(entry.path().c_str(), "rb");
    while (gzread(file, buffer.data(), static_cast<unsigned>(buffer.size())) >
           0) {
    }
    gzclose(file);
  }
}

void BenchMnist(const base::Path& folder) {
  if (!fs::exists(folder)) {
    Row("MNIST import", "≤ 2 s", "not measured: no MNIST here");
    return;
  }
  const double seconds = BestSeconds([&] {
    data::ImportIdx({.inputs = {folder}, .out = Fresh("mnist"), .name = ""});
  });
  std::string instead = fmt::format("inflating alone {:.2f} s",
                                    BestSeconds([&] { InflateAll(folder); }));
  if (HavePython()) {
    const std::string command = fmt::format(
        "python3 -c \"import glob, gzip; [gzip.open(f).read() for f in "
        "glob.glob('{}/*.gz')]\"",
        folder.string());
    instead += fmt::format(", by Python's gzip {:.2f} s",
                           BestSeconds([&] { RunShell(command); }));
  }
  Row("MNIST import, 70,000 images, to disk", "≤ 2 s",
      fmt::format("{:.2f} s", seconds), instead);
  fs::remove_all(Fresh("mnist"));
}

void BenchMillions() {
  constexpr std::uint64_t kUsers = 2'000'000;
  const base::Path folder = Fresh("millions");
  data::DatasetInfo info;
  info.image = {.height = 28, .width = 28, .channels = 1};
  const std::vector<std::uint8_t> pixels(784, 7);
  const double making = Seconds([&] {
    data::DatasetWriter writer(folder, info);
    for (std::uint64_t u = 0; u < kUsers; ++u) {
      writer.BeginUser(fmt::format("u{}", u));
      writer.Add({.pixels = pixels, .label = 3});
    }
    writer.Finish();
  });
  const double before = ResidentMegabytes();
  double resident = 0;
  const double opening = Seconds([&] {
    const data::FederatedDataset set(folder);
    if (set.user(kUsers / 2).size() != 1) std::exit(1);
    resident = ResidentMegabytes() - before;
  });
  Row("open 2,000,000 one-image users", "≤ 100 ms, ≤ 100 MB",
      fmt::format("{:.2f} ms, {:.1f} MB more resident", 1e3 * opening,
                  resident),
      fmt::format("made in {:.1f} s", making));
  fs::remove_all(folder);
}

std::uint64_t Sum(std::span<const std::uint8_t> bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0});
}

#if SFUMATO_HAS_HDF5
// The same images as TensorFlow Federated keeps them: a group per user.
void WriteHdf5(const data::FederatedDataset& set, const base::Path& path) {
  const hid_t file =
      H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t examples =
      H5Gcreate2(file, "examples", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  for (std::size_t u = 0; u < set.users(); ++u) {
    const data::User user = set.user(u);
    const hid_t group = H5Gcreate2(examples, std::string(user.id()).c_str(),
                                   H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const hsize_t shape[] = {user.size(), 28, 28};
    const hid_t space = H5Screate_simple(3, shape, nullptr);
    const hid_t pixels = H5Dcreate2(group, "pixels", H5T_NATIVE_UINT8, space,
                                    H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(pixels, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT,
             user[0].pixels.data());
    H5Dclose(pixels);
    H5Sclose(space);
    H5Gclose(group);
  }
  H5Gclose(examples);
  H5Fclose(file);
}

double ReadHdf5(const data::FederatedDataset& set, const base::Path& path,
                const std::vector<std::size_t>& order) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  std::vector<std::uint8_t> buffer;
  std::uint64_t sum = 0;
  const double seconds = BestSeconds([&] {
    for (const std::size_t u : order) {
      const data::User user = set.user(u);
      buffer.resize(user.size() * 784);
      const std::string name = fmt::format("examples/{}/pixels", user.id());
      const hid_t pixels = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
      H5Dread(pixels, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT,
              buffer.data());
      H5Dclose(pixels);
      sum += Sum(buffer);
    }
  });
  H5Fclose(file);
  if (sum == 0) std::exit(1);
  return seconds;
}
#endif

void BenchRandomUsers() {
  const base::Path folder = Fresh("random");
  data::MakeHandwriting({.users = 2000, .seed = 1}, folder);
  const data::FederatedDataset set(folder);
  std::vector<std::size_t> order(set.users());
  std::iota(order.begin(), order.end(), 0);
  base::Rng(5).Shuffle<std::size_t>(order);
  std::uint64_t sum = 0;
  const double seconds = BestSeconds([&] {
    for (const std::size_t u : order) {
      const data::User user = set.user(u);
      for (std::size_t i = 0; i < user.size(); ++i) sum += Sum(user[i].pixels);
    }
  });
  if (sum == 0) std::exit(1);
  const double bytes = 784.0 * static_cast<double>(set.examples());
  std::string instead = "–";
#if SFUMATO_HAS_HDF5
  const base::Path hdf5 = Fresh("random.h5");
  WriteHdf5(set, hdf5);
  const double theirs = ReadHdf5(set, hdf5, order);
  instead = fmt::format("HDF5, a group per user: {:.2f} GB/s, {:.1f}× slower",
                        bytes / theirs / 1e9, theirs / seconds);
  fs::remove(hdf5);
#endif
  Row("read and sum 2,000 random users, page cache", "≥ 1 GB/s",
      fmt::format("{:.2f} GB/s", bytes / seconds / 1e9), instead);
  fs::remove_all(folder);
}

// Noise for a model's update, against the C++ library's own, which nobody
// should use for privacy. Both fill the same memory.
void BenchNoise() {
  std::vector<std::int64_t> steps(1 << 24);
  const auto millions = static_cast<double>(steps.size()) / 1e6;
  const dp::GridGaussian gaussian(0x1p36);
  dp::NoiseSource noise = dp::NoiseSource::Secure();
  const double ours = BestSeconds([&] { gaussian.AddTo(steps, noise); });
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal(0, 0x1p36);
  const double theirs = BestSeconds([&] {
    for (std::int64_t& x : steps)
      x += static_cast<std::int64_t>(normal(engine));
  });
  Row("noise: secure Gaussian, all cores", "≥ 100 million values/s",
      fmt::format("{:.0f} million values/s", millions / ours),
      fmt::format(
          "`std::normal_distribution` with `std::mt19937_64`, one core: "
          "{:.0f} million values/s, {:.1f}× slower",
          millions / theirs, theirs / ours));
}

base::Path RealData() {
  const char* given = std::getenv("SFUMATO_DATA");
  return given != nullptr ? given : "../shared/data";
}

}  // namespace
}  // namespace sfumato

int main(int argc, char** argv) {
  const auto program =
      std::filesystem::path(argv[0]).parent_path() / ".." / "sfumato";
  fmt::print(
      "| figure | asked | measured | instead, in the same run |\n"
      "|---|---|---|---|\n");
  if (argc > 1 && std::string(argv[1]) == "training") {
    sfumato::BenchTraining(program, "benchmarks/peers/training");
    return 0;
  }
  sfumato::BenchStart(program);
  sfumato::BenchHandwriting();
  sfumato::BenchForum();
  sfumato::BenchMnist(sfumato::RealData() / "mnist");
  sfumato::BenchMillions();
  sfumato::BenchRandomUsers();
  sfumato::BenchNoise();
  sfumato::BenchAccounting("benchmarks/peers/.venv/bin/python3",
                           "benchmarks/peers/accountants.py");
  sfumato::BenchTraining(program, "benchmarks/peers/training");
  return 0;
}
