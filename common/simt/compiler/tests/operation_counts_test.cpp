#include "operation_counts.h"

#include <doctest/doctest.h>

using simt::compiler::with_operation_counts;

TEST_CASE("x86-64: each block says how many operations it makes") {
  CHECK(with_operation_counts("f:\n"
                              "\tcall\t__sanitizer_cov_trace_pc@PLT\n"
                              "\tmovss\t(%rax), %xmm0\n"
                              "\tmulss\t4(%rax), %xmm0\n"
                              ".L2:\n"
                              "\taddss\t%xmm1, %xmm0\n"
                              "\tjne\t.L2\n"
                              "\tcall\t__sanitizer_cov_trace_pc@PLT\n"
                              "\tret\n") ==
        "f:\n"
        "\tmovl\t$2, %edi\n"
        "\tcall\t__sanitizer_cov_trace_pc@PLT\n"
        "\tmovss\t(%rax), %xmm0\n"
        "\tmulss\t4(%rax), %xmm0\n"
        ".L2:\n"
        "\taddss\t%xmm1, %xmm0\n"
        "\tjne\t.L2\n"
        "\tmovl\t$0, %edi\n"
        "\tcall\t__sanitizer_cov_trace_pc@PLT\n"
        "\tret\n");
}

TEST_CASE("calls: fused operations are two, functions one, templates are counted at home") {
  const std::string begin = "\tcall\t__sanitizer_cov_trace_pc@PLT\n";
  const auto counted = [&](const std::string& target) {
    return with_operation_counts(begin + "\tcall\t" + target + "\n").substr(0, 10);
  };
  CHECK(counted("fmaf@PLT") == "\tmovl\t$2, ");
  CHECK(counted("_Z9__fmaf_rnfff@PLT") == "\tmovl\t$2, ");
  CHECK(counted("expf@PLT") == "\tmovl\t$1, ");
  CHECK(counted("simt_fast_expf@PLT") == "\tmovl\t$1, ");
  CHECK(counted("_Z3fmaIfET_S0_S0_S0_") == "\tmovl\t$0, ");
  CHECK(counted("fmaxf@PLT") == "\tmovl\t$0, ");
  CHECK(counted("__tsan_read4@PLT") == "\tmovl\t$0, ");
  CHECK(counted("*%rax") == "\tmovl\t$0, ");
}

TEST_CASE("aarch64") {
  CHECK(
      with_operation_counts("\tbl\t__sanitizer_cov_trace_pc\n\tfmadd\ts0, s1, s2, s0\n\tfmul\ts0, "
                            "s0, s1\n") ==
      "\tmov\tw0, #3\n\tbl\t__sanitizer_cov_trace_pc\n\tfmadd\ts0, s1, s2, s0\n\tfmul\ts0, s0, "
      "s1\n");
}

TEST_CASE("nothing to count, nothing changed") {
  for (const char* text : {"", "\n", "f:\n\taddss\t%xmm1, %xmm0\n\tret", "\t", "no newline"}) {
    CHECK(with_operation_counts(text) == text);
  }
}
