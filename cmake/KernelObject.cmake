# moe_add_kernel_object(<target> SOURCE f.cu LESSON NNN_slug [FUNCTION name] OUTPUT x.so [UNCHECKED] [ALLOW <target>...]
#                       [RELOCATABLE x.o] [LINK <target>...])
#
# Compiles a lesson's .cu into a shared object that exports the lesson's function (or FUNCTION) and nothing else, by simt-cc:
# for the CPU runtime, or with nvcc in the cuda preset. ALLOW names other kernel objects whose functions it may
# call. LINK names some whose functions it may call, and which become part of it, with all that they link: whoever loads
# the object needs none of them. They are made with RELOCATABLE, which keeps the object from before it is linked. The target
# is not part of `all`; its property KERNEL_OBJECT is the object's path, KERNEL_PARTS lists what LINK takes of it.
include_guard(GLOBAL)

set(MOE_CUDA_ARCHITECTURE "" CACHE STRING "sm_90a, native ...; empty: that of this machine's GPU, else sm_90")

if(MOE_BACKEND STREQUAL "cuda" AND NOT TARGET simt-cc)
  moe_add_part(common/simt/compiler LABEL unit)
endif()

function(moe_add_kernel_object target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "UNCHECKED" "SOURCE;LESSON;OUTPUT;FUNCTION;RELOCATABLE" "ALLOW;LINK")
  foreach(required SOURCE LESSON OUTPUT)
    if(NOT arg_${required})
      message(FATAL_ERROR "moe_add_kernel_object(${target}): ${required} is missing")
    endif()
  endforeach()
  cmake_path(GET arg_OUTPUT PARENT_PATH folder)
  file(MAKE_DIRECTORY "${folder}")

  # A lesson that does not exist (yet) cannot be called.
  set(allowed "")
  set(objects "")
  foreach(other IN LISTS arg_ALLOW)
    if(TARGET ${other})
      get_target_property(object ${other} KERNEL_OBJECT)
      list(APPEND objects "${object}")
      list(APPEND allowed --allow "${object}")
    endif()
  endforeach()

  set(parts "")
  foreach(other IN LISTS arg_LINK)
    if(TARGET ${other})
      get_target_property(of_other ${other} KERNEL_PARTS)
      list(APPEND parts ${of_other})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES parts)
  set(linked "")
  foreach(part IN LISTS parts)
    list(APPEND linked --link "${part}")
  endforeach()
  set(link_files ${parts})
  if(arg_RELOCATABLE)
    list(APPEND linked --relocatable "${arg_RELOCATABLE}")
    list(PREPEND parts "${arg_RELOCATABLE}")
  endif()

  set(backend --backend ${MOE_BACKEND})
  if(arg_FUNCTION)
    list(APPEND backend --function ${arg_FUNCTION})
  endif()
  if(arg_UNCHECKED AND MOE_BACKEND STREQUAL "cpu")
    list(APPEND backend --unchecked)
  endif()
  if(MOE_BACKEND STREQUAL "cuda" AND MOE_CUDA_ARCHITECTURE)
    list(APPEND backend --arch ${MOE_CUDA_ARCHITECTURE})
  endif()
  add_custom_command(
    OUTPUT "${arg_OUTPUT}" ${arg_RELOCATABLE}
    COMMAND simt-cc ${backend} --lesson ${arg_LESSON} ${allowed} ${linked} --depfile "${arg_OUTPUT}.d" -o "${arg_OUTPUT}"
            "${arg_SOURCE}"
    DEPENDS "${arg_SOURCE}" simt-cc ${objects} ${link_files}
    DEPFILE "${arg_OUTPUT}.d"
    COMMENT "Kernel ${target}"
    VERBATIM)
  add_custom_target(${target} DEPENDS "${arg_OUTPUT}")
  set_target_properties(${target} PROPERTIES KERNEL_OBJECT "${arg_OUTPUT}" KERNEL_PARTS "${parts}")
  # The runtime must be there to link with, but a new one needs no new kernels.
  if(TARGET simt)
    add_dependencies(${target} simt)
  endif()
endfunction()
