# moe::warnings: what own code compiles under. Link it PRIVATE.
add_library(moe_warnings INTERFACE)
add_library(moe::warnings ALIAS moe_warnings)
# Only where the workbook is tested (tools/test): a compiler newer than any it was tested with must not keep a learner out.
option(MOE_WERROR "Treat warnings in the workbook's own code as errors" OFF)
set(MOE_WERROR_FLAG "$<$<BOOL:${MOE_WERROR}>:-Werror>")
target_compile_options(moe_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion
  ${MOE_WERROR_FLAG})
