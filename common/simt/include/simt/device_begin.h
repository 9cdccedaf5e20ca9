// Begins declarations for device code alone. The compiler need not know; the legality gate has a
// header of this name that tells it.
