// The lessons of an image voter's network, and how it learns from them: each is
// some images of a made-up device, and what was done to them.
//
//   const SetNetwork network = TeachNetwork(course);
//   network.Judged(network.User(points).unsqueeze(0));  // logits: [1, output]
//
// With several marks there are more combinations than lessons fit in memory, so
// lessons are made anew for each round.

#pragma once

#include "census/voter/image_course.h"
#include "census/voter/set_network.h"

namespace sfumato::census {

// On the processor, wherever it learned.
SetNetwork TeachNetwork(const ImageCourse& course);

}  // namespace sfumato::census
