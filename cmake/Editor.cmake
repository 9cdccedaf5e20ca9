# compile_commands.json at the root, for clangd and other editors' servers: the build's own list, and in it every
# kernel file, read the way clang reads CUDA but with the CPU runtime's headers, so that no toolkit is needed.
include_guard(GLOBAL)

file(GLOB kernels "${MOE_SOURCE_DIR}/lessons/[0-9]*/stub.cu" "${MOE_SOURCE_DIR}/solutions/[0-9]*/*.cu"
  "${MOE_SOURCE_DIR}/grader/mutants/[0-9]*/*.cu" "${MOE_SOURCE_DIR}/grader/variants/[0-9]*/*.cu" "${MOE_SOURCE_DIR}/docs/examples/*.cu" "${MOE_SOURCE_DIR}/tools/tests/*.cu")
# A learner's kernel.cu may not be there yet. It is not listed, for a source that CMake takes to be generated is deleted by
# `ninja clean`; clangd reads it as it reads the stub beside it.
if(kernels)
  # Never built: a target is what it takes to be in the list.
  add_library(editor_kernels OBJECT EXCLUDE_FROM_ALL ${kernels})
  set_source_files_properties(${kernels} PROPERTIES LANGUAGE CXX)
  target_compile_options(editor_kernels PRIVATE
    -x cuda -nocudainc -nocudalib --cuda-path=/nonexistent --cuda-host-only -D__CUDACC__ -include "${MOE_SOURCE_DIR}/cmake/editor_prelude.h" -Wno-unused-function -Wno-unused-parameter)
  target_include_directories(editor_kernels SYSTEM PRIVATE
    "${MOE_SOURCE_DIR}/common/simt/compiler/gate" "${MOE_SOURCE_DIR}/common/simt/include")
  target_include_directories(editor_kernels PRIVATE "${MOE_SOURCE_DIR}/common/moe/include")
endif()

set(link "${MOE_SOURCE_DIR}/compile_commands.json")
if(CMAKE_BINARY_DIR STREQUAL "${MOE_SOURCE_DIR}/build/cpu" OR
   (CMAKE_BINARY_DIR STREQUAL "${MOE_SOURCE_DIR}/build/cuda" AND NOT EXISTS "${link}"))
  cmake_path(RELATIVE_PATH CMAKE_BINARY_DIR BASE_DIRECTORY "${MOE_SOURCE_DIR}" OUTPUT_VARIABLE folder)
  file(CREATE_LINK "${folder}/compile_commands.json" "${link}" SYMBOLIC)
endif()
