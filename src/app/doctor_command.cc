// `sfumato doctor`: what this machine and this build can do, and what to fix.

#include <sys/statvfs.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <thread>

#include "app/command.h"
#include "app/torch_part.h"
#include "app/version.h"
#include "base/error.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "fmt/format.h"
#include "openssl/crypto.h"
#include "train/torch_facts.h"

namespace sfumato::app {
namespace {

using nlohmann::json;

// Below this many operations a second per thread a matrix product is not what
// the processor can do (an old laptop reaches ten times as much).
constexpr double kSlowGflopsPerThread = 4.0;
constexpr double kLowDiskGb = 2.0;

struct Part {
  const char* name;
  bool on;
  const char* purpose;
};

std::vector<Part> Parts() {
  return {
#define SFUMATO_PART(name, on, purpose) {name, on, purpose},
#include "app/parts.inc"
#undef SFUMATO_PART
  };
}

bool OnPath(const std::string& program) {
  const char* value = std::getenv("PATH");
  const std::string path = value == nullptr ? "" : value;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    std::error_code ignored;
    if (std::filesystem::exists(
            base::Path(path.substr(begin, end - begin)) / program, ignored)) {
      return true;
    }
    begin = end + 1;
  }
  return false;
}

double FreeDiskGb() {
  struct statvfs status;
  if (statvfs(".", &status) != 0) return -1;
  return static_cast<double>(status.f_bavail) * status.f_frsize / 1e9;
}

// Collects facts and what is wrong with them, as text and JSON at once.
class Report {
 public:
  void Fact(const std::string& key, const json& value,
            const std::string& text) {
    json_[key] = value;
    text_ += fmt::format("{:<10}{}\n", key == "disk_gb" ? "disk" : key, text);
  }
  void Problem(const std::string& what, const std::string& cure) {
    problems_.push_back({{"what", what}, {"cure", cure}});
  }
  Answer Finish() && {
    text_ += '\n';
    for (const json& problem : problems_) {
      text_ += fmt::format("✗ {}\n  {}\n", problem["what"].get<std::string>(),
                           problem["cure"].get<std::string>());
    }
    if (problems_.empty()) {
      text_ += "✓ all is well\n";
    }
    json_["problems"] = problems_;
    return {.text = text_, .json = json_};
  }

 private:
  std::string text_;
  json json_ = json::object();
  json problems_ = json::array();
};

void ReportTorch(double seconds, Report& report) {
  train::TorchFacts facts;
  try {
    TorchFunction<decltype(train::SfumatoTorchFacts)>("SfumatoTorchFacts")(
        seconds, &facts);
  } catch (const base::Interrupted&) {
    throw;
  } catch (const Error& error) {
    report.Fact("torch", nullptr, "not available");
    report.Problem(error.what(), error.todo());
    return;
  } catch (const std::exception& error) {  // LibTorch's own, a driver's
    report.Fact("torch", nullptr, "fails");
    report.Problem(error.what(), "fix what LibTorch complains about");
    return;
  }
  report.Fact("torch", facts.version, "LibTorch " + facts.version);
  report.Fact("blas", {{"name", facts.blas}, {"gflops", facts.cpu_gflops}},
              fmt::format("{}, {:.0f} GFLOP/s measured (1024³, float32)",
                          facts.blas, facts.cpu_gflops));
  report.Fact("threads",
              {{"torch", facts.threads},
               {"cores", std::thread::hardware_concurrency()}},
              fmt::format("{} of {} cores", facts.threads,
                          std::thread::hardware_concurrency()));
  json devices = json::array();
  std::string names;
  for (const train::CudaDevice& device : facts.cuda) {
    devices.push_back({{"name", device.name},
                       {"memory_gib", device.memory_gib},
                       {"tflops_tf32", device.tflops_tf32}});
    names += fmt::format("{}{}, {:.0f} GiB, {:.0f} TFLOP/s measured (TF32)",
                         names.empty() ? "" : "; ", device.name,
                         device.memory_gib, device.tflops_tf32);
  }
  report.Fact("cuda", devices, names.empty() ? "no device" : names);
  if (facts.reference_blas ||
      facts.cpu_gflops < kSlowGflopsPerThread * facts.threads) {
    report.Problem(
        fmt::format("matrix products run at {:.1f} GFLOP/s in {}: training "
                    "would be many times slower than it need be",
                    facts.cpu_gflops, facts.blas),
        facts.reference_blas
            ? "on Debian: apt-get install libopenblas0-openmp, and remove "
              "libblas3 if it is still chosen (update-alternatives --config "
              "libblas.so.3-x86_64-linux-gnu)"
            : "run doctor again when the machine is idle; if it stays slow, "
              "another program or a limit on its cores holds it back");
  }
}

Answer Doctor(double seconds) {
  Report report;
  report.Fact("sfumato", kVersion,
              fmt::format("{} ({}, {})", kVersion, kBuildType, kCompiler));
  report.Fact("openssl", OpenSSL_version(OPENSSL_VERSION_STRING),
              OpenSSL_version(OPENSSL_VERSION));
  ReportTorch(seconds, report);
  const bool mpirun = OnPath("mpirun");
  report.Fact("mpi", mpirun, mpirun ? "mpirun found" : "no mpirun");

  json parts = json::object();
  std::string text;
  for (const Part& part : Parts()) {
    parts[part.name] = part.on;
    text += fmt::format("{}{} {} ({})", text.empty() ? "" : "\n          ",
                        part.name, part.on ? "on" : "OFF", part.purpose);
  }
  report.Fact("parts", parts, text);

  const double disk = FreeDiskGb();
  report.Fact("disk_gb", disk, fmt::format("{:.0f} GB free here", disk));
  if (disk < kLowDiskGb) {
    report.Problem(fmt::format("only {:.1f} GB of disk are free here", disk),
                   "free some, or work in another folder");
  }
  return std::move(report).Finish();
}

const Registration kDoctor(
    {.path = "doctor",
     .summary = "Measure what this machine can do, and name what to fix.",
     .example = "sfumato doctor",
     .define = [](CLI::App& app, const Common&) -> Action {
       auto seconds = std::make_shared<double>(0.3);
       app.add_option("--seconds", *seconds, "How long each speed is measured.")
           ->check(CLI::Range(0.01, 60.0))
           ->capture_default_str();
       return [seconds] {
         if (std::isnan(*seconds)) {  // which is in every range
           throw BadInput("not a number", "--seconds", "give 0.01 to 60");
         }
         return Doctor(*seconds);
       };
     }});

}  // namespace
}  // namespace sfumato::app
