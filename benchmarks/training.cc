#include "training.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>

#include "base/json_lines.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"
#include "table.h"

namespace sfumato {
namespace {

// What root, few cores and a machine without ssh need.
constexpr const char* kMpirun =
    "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
    "OMPI_MCA_plm=isolated OMPI_MCA_hwloc_base_binding_policy=none "
    "OMPI_MCA_btl_vader_single_copy_mechanism=none mpirun";

// The JSON object that `command` prints; empty when it fails.
nlohmann::json Asked(const std::string& command) {
  const base::Path file = Fresh("asked.json");
  if (std::system((command + " > " + file.string() + " 2>/dev/null").c_str()) !=
      0) {
    return {};
  }
  return nlohmann::json::parse(base::ReadFile(file), nullptr, false);
}

double Fastest(const nlohmann::json& answer) {
  if (!answer.is_object() || !answer.contains("seconds_per_round")) return 0;
  double best = std::numeric_limits<double>::infinity();
  for (const nlohmann::json& seconds : answer["seconds_per_round"]) {
    best = std::min(best, seconds.get<double>());
  }
  return best;
}

// pfl-research in the faster of its two ways to use two cores.
double PflSeconds(const base::Path& peers, bool is_private) {
  const base::Path python = peers / ".venv/bin/python3";
  if (!std::filesystem::exists(python)) return 0;
  double best = 0;
  for (const char* way : {"--threads 2", "--threads 1 --processes 2"}) {
    const double seconds = Fastest(Asked(fmt::format(
        "{} {} --rounds 3 {} {}", python.string(),
        (peers / "pfl_cifar.py").string(), way, is_private ? "--dp" : "")));
    if (seconds > 0 && (best == 0 || seconds < best)) best = seconds;
  }
  return best;
}

void BenchCohort(const base::Path& races, const base::Path& peers) {
  const nlohmann::json answer = Asked(races.string() + " cohort");
  if (!answer.is_object()) return;
  for (const nlohmann::json& row : answer.at("figures")) {
    const std::string figure = row.at("figure");
    const double ours = row.at("ours");
    const std::string unit = row.at("unit");
    const double ratio = row.at("ratio");
    std::string instead = "–";
    if (row.at("rival").is_number()) {
      instead = fmt::format("{} {:.4g} {}, {:.2f}×",
                            row.at("rival_name").get<std::string>(),
                            row.at("rival").get<double>(), unit, ratio);
    } else if (ratio > 0) {
      instead = fmt::format("{:.3f} of the first", ratio);
    }
    if (figure.starts_with("round of 50 clients")) {
      const bool is_private = figure.find("noised") != std::string::npos;
      const double theirs = PflSeconds(peers, is_private);
      if (theirs > 0) {
        instead += fmt::format("; pfl-research {:.3f} s/round, {:.2f}×", theirs,
                               theirs / ours);
      }
    }
    const bool critic = figure.starts_with("critic step, cpu");
    const bool race = figure.starts_with("round of 50 clients");
    Row(figure,
        critic ? "≥ 2.2× eager"
        : race ? "≥ 2× pfl-research"
               : "–",
        fmt::format("{:.4g} {}", ours, unit), instead);
  }
}

// Mean seconds a round of a run over `ranks` processes of one thread.
double RoundSeconds(const base::Path& program, int ranks) {
  const base::Path config = Fresh("mpi.toml");
  base::WriteFileAtomically(
      config,
      "name = \"mpi\"\nalgorithm = \"fedavg\"\nrounds = 6\n"
      "[data]\ngenerate = \"handwriting\"\nusers = 200\nexamples = 60\n"
      "[model]\nname = \"emnist_cnn\"\n"
      "[cohort]\nsampling = \"fixed\"\nsize = 60\n"
      "[evaluation]\nevery = 0\n[checkpoint]\nevery = 100\n"
      "[device]\nname = \"cpu\"\nthreads = 1\n");
  const base::Path run = Fresh("mpi_run");
  if (std::system(fmt::format("{} -n {} {} train {} --out {} --quiet "
                              "> /dev/null 2>&1",
                              kMpirun, ranks, program.string(), config.string(),
                              run.string())
                      .c_str()) != 0) {
    return 0;
  }
  double best = std::numeric_limits<double>::infinity();
  base::ReadJsonLines(run / "metrics.jsonl",
                      [&](const nlohmann::json& line, int) {
                        best = std::min(best, line.at("seconds").get<double>());
                      });
  std::filesystem::remove_all(run);
  return best;
}

void BenchMpi(const base::Path& program) {
  if (std::system("mpirun --version > /dev/null 2>&1") != 0) return;
  const double one = RoundSeconds(program, 1);
  const double two = RoundSeconds(program, 2);
  if (one <= 0 || two <= 0) return;
  Row("MPI, two ranks of one thread", "≥ 1.8× one rank",
      fmt::format("{:.3f} s/round", two),
      fmt::format("one rank {:.3f} s/round, {:.2f}×", one, one / two));
}

}  // namespace

void BenchTraining(const base::Path& program, const base::Path& peers) {
  BenchCohort(program.parent_path() / "benchmarks" / "races", peers);
  BenchMpi(program);
}

}  // namespace sfumato
