# Language, folders and flags that every part of the build shares.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(MOE_TEST_DIR "${CMAKE_BINARY_DIR}/tests") # test programs, out of the way of the tool

# Line tables are all that a report needs; full debug information would double the build's time.
# Assertions stay on: a runtime that checks others checks itself.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1" CACHE STRING "" FORCE)

# The CPU runtime is built on what g++ makes of a kernel.
if(MOE_BACKEND STREQUAL "cpu" AND NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  message(FATAL_ERROR "g++ 12 or newer is needed; ${CMAKE_CXX_COMPILER} is ${CMAKE_CXX_COMPILER_ID}. "
    "In a fresh build folder: CXX=g++ cmake --preset cpu")
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
  message(FATAL_ERROR "g++ 12 or newer is needed; ${CMAKE_CXX_COMPILER} is ${CMAKE_CXX_COMPILER_VERSION}")
endif()

find_program(MOE_CCACHE ccache)
mark_as_advanced(MOE_CCACHE)
if(MOE_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${MOE_CCACHE}")
endif()

# The project's own code under AddressSanitizer and UndefinedBehaviorSanitizer: for the compiler driver's tests and the
# runtime's unit tests (test simt_sanitized), not for programs that simt-cc makes.
option(MOE_SANITIZE "Build with -fsanitize=address,undefined" OFF)
if(MOE_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

# Adds a sub-directory of the source tree.
function(moe_add_part folder)
  if(EXISTS "${MOE_SOURCE_DIR}/${folder}/CMakeLists.txt")
    add_subdirectory("${MOE_SOURCE_DIR}/${folder}" "${CMAKE_BINARY_DIR}/${folder}")
  else()
    message(STATUS "${folder} is not there; left out")
  endif()
endfunction()

# Puts the tests of the current directory into a suite of tools/test, where they have none yet.
function(moe_label_tests suite)
  get_property(tests DIRECTORY PROPERTY TESTS)
  foreach(test IN LISTS tests)
    get_property(labels TEST ${test} PROPERTY LABELS)
    if(NOT labels)
      set_property(TEST ${test} PROPERTY LABELS ${suite})
    endif()
  endforeach()
endfunction()

# A first build is waited for, and most of its time goes into reading the same headers again: with MOE_UNITY (tools/setup
# turns it on in a fresh build folder) the sources of a folder are compiled as one. So names in unnamed namespaces must
# differ within a folder. Off, a change recompiles less, and compile_commands.json names every file.
option(MOE_UNITY "Compile each folder's sources together" OFF)
if(MOE_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC looks for garbage each time its heap has grown by a third; from 1 GB on is soon enough, and a tenth of the time less.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=1000000>")
endif()

# moe_unity(TARGET [EXCEPT file...] [SPLIT n] [JOIN folder+folder...]): the target's sources by folder, in lots of at most
# n. Small folders are joined: each lot reads the headers of the standard library once.
function(moe_unity target)
  if(NOT MOE_UNITY OR NOT TARGET ${target})
    return()
  endif()
  cmake_parse_arguments(arg "" "SPLIT" "EXCEPT;JOIN" ${ARGN})
  if(NOT arg_SPLIT)
    set(arg_SPLIT 100)
  endif()
  get_target_property(sources ${target} SOURCES)
  get_target_property(directory ${target} SOURCE_DIR)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${directory}" OUTPUT_VARIABLE path)
    cmake_path(GET path PARENT_PATH folder)
    cmake_path(GET folder FILENAME folder)
    cmake_path(GET path FILENAME name)
    if(name IN_LIST arg_EXCEPT OR name STREQUAL "main.cpp")  # a program may bring its own main
      continue()
    endif()
    foreach(joined IN LISTS arg_JOIN)
      if("+${joined}+" MATCHES "[+]${folder}[+]")
        set(folder "${joined}")
      endif()
    endforeach()
    string(REPLACE "+" "_" folder "${folder}")
    math(EXPR lot "0${count_${folder}} / ${arg_SPLIT}")
    math(EXPR count_${folder} "0${count_${folder}} + 1")
    set_source_files_properties("${path}" TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP "${folder}${lot}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
