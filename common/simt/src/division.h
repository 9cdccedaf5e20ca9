// Integer divisions that this CPU refuses and a GPU does not.
#pragma once

namespace simt {

// In a handler of SIGFPE: gives the division what a GPU gives and moves on to the next instruction.
// False where the instruction is no division that is known here.
bool finish_division(void* context);

}  // namespace simt
