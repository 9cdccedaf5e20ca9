// Begins declarations for device code alone.
#pragma clang attribute push(__attribute__((device)), apply_to = function)
