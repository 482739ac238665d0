// Compiled once for the commands, which are built with other options than the
// rooms below them.

#pragma once

#include "common_headers.h"
