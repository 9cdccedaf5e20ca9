# compile_commands.json at the root, for clangd: the build's own, kernels included.
set(MOE_PLACEHOLDER_EDITOR TRUE)
