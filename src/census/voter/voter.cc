#include "census/voter/voter.h"

#include "census/voter/image_voter.h"
#include "census/voter/text_voter.h"

namespace sfumato::census {}  // namespace sfumato::census
