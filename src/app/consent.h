// A yes before privacy is spent.

#pragma once

#include <string>

namespace sfumato::app {

// Shows the price on the terminal and asks. Throws BadInput, naming --yes,
// where there is nobody to ask.
bool Consents(const std::string& price);

}  // namespace sfumato::app
