// Ends declarations for host and device code.
#pragma clang force_cuda_host_device end
