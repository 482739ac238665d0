#include "plan/dataset_ledger.h"

#include <filesystem>

#include "fmt/format.h"

namespace sfumato::plan {

namespace fs = std::filesystem;

namespace {

constexpr const char* kKept = "ledger.id";
constexpr std::size_t kLongestRunName = 100;  // of 200; parts are added to it

template <typename Work>
void ForEachFolder(const config::DataConfig& data, const Work& work) {
  for (const std::string* folder : {&data.path, &data.before_path}) {
    if (!folder->empty()) work(base::Path(*folder));
  }
}

}  // namespace

base::Path LedgerBeside(const base::Path& dataset) {
  base::Path folder = fs::weakly_canonical(fs::absolute(dataset));
  if (!folder.has_filename()) folder = folder.parent_path();
  const base::Path ledger = folder.parent_path() / "ledger.sqlite";
  // As people would write it, where it lies below them.
  const base::Path from_here =
      ledger.lexically_relative(fs::weakly_canonical(fs::current_path()));
  const bool below = !from_here.empty() && *from_here.begin() != "..";
  return below ? from_here : ledger;
}

void RequireId(const data::DatasetInfo& info, const std::string& where) {
  if (info.origin != data::Origin::kPrivate || !info.id.empty()) return;
  throw Unsupported("a private set without an id", where,
                    "import it again: the id distinguishes sets that look "
                    "alike (docs/data_format.md)");
}

void RequireOwnLedger(const base::Path& dataset, const dp::Ledger& ledger) {
  const base::Path kept = dataset / kKept;
  if (!fs::exists(kept)) return;
  if (base::ReadFile(kept) == ledger.id() + "\n") return;
  throw BadInput(
      "a private set that was charged to another ledger", dataset.string(),
      fmt::format("name that one; if it is lost, the person who granted its "
                  "budget removes {}, and what was spent before is forgotten",
                  kept.string()));
}

void BindToLedger(const base::Path& dataset, const dp::Ledger& ledger) {
  RequireOwnLedger(dataset, ledger);
  const base::Path kept = dataset / kKept;
  if (fs::exists(kept)) return;
  base::WriteFileAtomically(kept, ledger.id() + "\n");
}

void RequireOwnLedger(const config::DataConfig& data,
                      const dp::Ledger& ledger) {
  ForEachFolder(data, [&](const base::Path& folder) {
    RequireOwnLedger(folder, ledger);
  });
}

void BindToLedger(const config::DataConfig& data, const dp::Ledger& ledger) {
  RequireOwnLedger(data, ledger);  // all, before the first is written
  ForEachFolder(
      data, [&](const base::Path& folder) { BindToLedger(folder, ledger); });
}

std::string LedgerNameOf(const base::Path& folder) {
  std::string name = base::NormalFolder(folder).filename().string();
  for (char& c : name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '_';
  }
  if (name.size() <= kLongestRunName) return name;
  std::size_t end = kLongestRunName;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0) == 0x80) {
    --end;  // not in the middle of a character
  }
  return name.substr(0, end);
}

Error NoLedger(const base::Path& path, const std::string& population) {
  return BadInput(
      "no ledger for private data", path.string(),
      fmt::format("have one granted: sfumato ledger create {} --population {} "
                  "--epsilon … --delta …",
                  path.string(), population));
}

}  // namespace sfumato::plan
