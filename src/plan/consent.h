// A yes before privacy is spent.

#pragma once

#include <string>

namespace sfumato::plan {

// Shows the price and asks. Throws BadInput, naming --yes, where there is
// nobody to ask.
bool Consents(const std::string& price);

// Throws as Consents would where there is nobody to ask: before work that would
// be lost.
void RequireSomebodyToAsk(const std::string& price, bool yes);

// The same as Consents, where anything but a yes is BadInput; with `yes` it
// only shows.
void RequireYes(const std::string& price, bool yes);

}  // namespace sfumato::plan
