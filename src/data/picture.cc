#include "data/picture.h"

#include "base/random.h"

namespace sfumato::data {

base::Image DrawUsers(const FederatedDataset& set,
                      const std::vector<std::size_t>& users, int per_user,
                      int scale) {
  const ImageShape& shape = set.info().image;
  const base::GridOptions options = {.columns = per_user, .scale = scale};
  std::vector<base::Image> cells;
  for (const std::size_t u : users) {
    const User user = set.user(u);
    for (int i = 0; i < per_user; ++i) {
      base::Image cell = base::BlankImage(shape.width, shape.height,
                                          shape.channels, options.background);
      if (static_cast<std::size_t>(i) < user.size()) {
        const auto pixels = user[i].pixels;
        cell.pixels.assign(pixels.begin(), pixels.end());
      }
      cells.push_back(std::move(cell));
    }
  }
  return base::ImageGrid(cells, options);
}

std::vector<std::size_t> PickUsers(const FederatedDataset& set,
                                   std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> picked;
  base::Rng rng(seed, {base::Key("pick users")});
  // One pass: each user is taken with the chance that the places left need.
  for (std::size_t u = 0; u < set.users() && picked.size() < count; ++u) {
    const std::size_t left = set.users() - u;
    if (rng.Below(left) < count - picked.size()) picked.push_back(u);
  }
  return picked;
}

}  // namespace sfumato::data
