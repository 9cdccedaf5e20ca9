// Ends declarations for host and device code. The compiler need not know; the legality gate has a
// header of this name that tells it.
