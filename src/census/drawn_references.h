// References that a run's model draws, as a pool of examples without labels.
//
//   DrawReferences(run_folder, {.seed = 7}, census_folder / "reference");
//
// Nothing but the released parameters is used: drawing costs nothing.

#pragma once

#include <cstdint>

#include "base/file.h"
#include "data/dataset.h"

namespace sfumato::census {

struct DrawOptions {
  std::uint64_t seed = 1;
  std::int64_t count = 3000;  // images or sentences
};

// Throws as train::ReadRunModel; BadInput for images of another shape than
// those of `own`.
void CheckDraws(const base::Path& run, const data::DatasetInfo& own);

// A dataset of origin `generated` in `folder`, unless it is there already. A
// word that the model does not know is left out of its sentence. Throws as
// train::ReadRunModel.
void DrawReferences(const base::Path& run, const DrawOptions& options,
                    const base::Path& folder);

}  // namespace sfumato::census
