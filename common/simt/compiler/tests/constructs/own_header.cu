// Launches and kernels in a header beside the file.
#include "construct.h"

#include "kernel_names.h"

int main() {
  int* d = device_ints(1);
  launch_from_header(d);
  CHECK(value_at(d, 0) == 5);
  header_kernel<<<1, 1>>>(d);
  CHECK(value_at(d, 0) == 5);
}
