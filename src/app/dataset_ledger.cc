#include "app/dataset_ledger.h"

#include <filesystem>

#include "fmt/format.h"

namespace sfumato::app {

namespace fs = std::filesystem;

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

Error NoLedger(const base::Path& path, const std::string& population) {
  return BadInput(
      "no ledger for private data", path.string(),
      fmt::format("have one granted: sfumato ledger create {} --population {} "
                  "--epsilon … --delta …",
                  path.string(), population));
}

}  // namespace sfumato::app
