// Ends declarations for device code alone.
#pragma clang attribute pop
