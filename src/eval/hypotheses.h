// The catalogue of what may have gone wrong with images: each entry would turn
// good images into bad ones, for some value of its parameters.
//
//   for (const Change& change : Changes()) {
//     for (const Values& values : change.first(good, bad)) {
//       if (change.apply) Try(change.apply(good.images, values, seed));
//     }
//   }
//
// A change either draws other pixels (`apply`) or takes the same images in
// other numbers (`weigh`: a class is missing). Most are the broken stages of
// data/transform/image_bugs.h; what moves in from outside is dark, as there.
// Adding one is adding an entry.

#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sfumato::eval {

using Values = std::vector<double>;

// What candidates may be chosen by: drawn images [n, h, w, c], -1 … 1, and what
// a judge takes each for.
struct Observed {
  at::Tensor images;
  at::Tensor classes = {};  // [n] int64; undefined without a judge
  std::int64_t kinds = 0;   // of classes
};

using ClassNames = std::vector<std::string>;

struct Change {
  std::string key;    // "rotate"
  std::string cause;  // where this usually comes from
  // Ends "Side b's images look like side a's, …".
  std::function<std::string(const Values&, const ClassNames&)> words;
  // Whether no training does this to its images by itself, as it may blur them
  // or draw them paler.
  std::function<bool(const Values&)> never_by_chance = [](const Values&) {
    return false;
  };
  // Values to try; none where the change has no meaning for such images.
  std::function<std::vector<Values>(const Observed& good, const Observed& bad)>
      first;
  // Values around the best so far, nearer every round; empty: it is fine
  // enough.
  std::function<std::vector<Values>(const Values& best, int round)> next = {};
  // Images as the broken stage would leave them; random ones are drawn from
  // `seed`. Empty for a change of numbers.
  std::function<at::Tensor(const at::Tensor& images, const Values&,
                           std::uint64_t seed)>
      apply = {};
  // How often each image is taken, [n] double.
  std::function<at::Tensor(const at::Tensor& classes, const Values&)> weigh =
      {};
};

// Simple ones before those that contain them.
const std::vector<Change>& Changes();

// Images rounded to the 256 levels that pipelines have.
at::Tensor Rounded(const at::Tensor& images);

}  // namespace sfumato::eval
