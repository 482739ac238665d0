#pragma once
#include "dp/accounting/event.h"
namespace sfumato::dp {
double VoteSensitivitySquared(const Vote& vote, Adjacency adjacency);
}
