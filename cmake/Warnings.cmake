# moe::warnings: what own code compiles under. Link it PRIVATE.
add_library(moe_warnings INTERFACE)
add_library(moe::warnings ALIAS moe_warnings)
option(MOE_WERROR "Treat warnings in the workbook's own code as errors" ON)
target_compile_options(moe_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion
  $<$<BOOL:${MOE_WERROR}>:-Werror>)
