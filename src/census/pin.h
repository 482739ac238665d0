// What may not change between the first stage of a census and a resume: the
// config, the data, the voter and the judging model, each by its checksum.

#pragma once

#include <string>

namespace sfumato::census {

// Puts `now` on record, as `kept`. Throws BadInput if another one is there:
// then `what` ("the data is") at `where` is not what the census began with.
void Pin(std::string& kept, const std::string& now, const char* what,
         const std::string& where);

}  // namespace sfumato::census
