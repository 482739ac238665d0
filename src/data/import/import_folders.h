// Imports images that lie in folders: one folder per user, on disk or inside a
// zip or tar archive.
//
//   data::ImportFolders({.inputs = {"faces.zip"}, .out = "faces"},
//                       {.layout = "{user}/{label}/{*}.png"});
//
// PNG, PGM, PPM and JPEG are known by their content. Other files are skipped
// and counted, and so is an image that comes twice (the same user, label, file
// name and content, as when two archives overlap).

#pragma once

#include <string>
#include <vector>

#include "data/import/import.h"

namespace sfumato::data {

struct FoldersOptions {
  // Where user and label stand in the whole path below the folder that is
  // named, or inside the archive: a layout (path_layout.h), or the name of one
  // of FolderPresets(), which may have one folder around everything. Empty:
  // below the folder that all images share, the first folder is the user and a
  // second one, if any, the label.
  std::string layout = {};
  // The size every image is brought to. 0: that of the first image, and the
  // others must have it too.
  int height = 0;
  int width = 0;
  bool colour = false;  // three channels; otherwise grey
  bool invert = false;  // for dark ink on light paper: 0 is to be background
};

// A known collection: its layout, and whether its images are inverted.
struct FolderPreset {
  std::string name;
  std::string layout;
  bool invert = false;
};
const std::vector<FolderPreset>& FolderPresets();

// Users, and images within a user, come in the order in which people count
// their paths. Throws BadInput when an image is damaged or of another size,
// when no path fits the layout or one is longer, or when there is no image at
// all.
DatasetSummary ImportFolders(const ImportRequest& request,
                             const FoldersOptions& options = {});

}  // namespace sfumato::data
