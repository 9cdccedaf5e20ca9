#include "rewriter.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace simt::compiler;

namespace {

Rewritten rewrite_text(std::string_view source) {
  RewriteOptions options;
  options.file = "k.cu";
  return rewrite(source, options);
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// White space aside.
std::string squeezed(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c != ' ' && c != '\n') result.push_back(c);
  }
  return result;
}

std::string launch(const std::string& name, const std::string& callee, const std::string& config,
                   int line = 1) {
  return squeezed("(::simt::launch(\"" + name + "\"," + std::to_string(line) + "," + callee +
                  ",[&](auto&... simt_a){" + callee + "(simt_a...);})|::simt::config(" + config +
                  "))");
}

std::string first_problem(std::string_view source) {
  const Rewritten result = rewrite_text(source);
  return result.problems.empty() ? "" : result.problems.front().message;
}

long lines(std::string_view text) {
  return std::count(text.begin(), text.end(), '\n');
}

}  // namespace

TEST_CASE("text without CUDA comes out byte for byte") {
  for (const char* source :
       {"", "\n", "int main() { return 1 << 3 >> 2; }\n", "a<b<c<d>>>(e);", "'", "\"\n\"", "}}}))",
        "vector<vector<vector<int>>> v;\r\n\tint x = 1'000;\n", "// k<<<1,1>>>(d)\n",
        "const char* s = \"__global__ <<<\";\n", "operator<<<int>(a);", "static int x = 3;\n",
        "struct S { static int f() { static int n; return n; } };\n"}) {
    const Rewritten result = rewrite_text(source);
    CHECK(result.text == source);
    CHECK(result.edits.empty());
    CHECK(result.ok());
  }
}

TEST_CASE("a plain launch") {
  CHECK(squeezed(rewrite_text("void f() { k<<<1, 32>>>(d, n); }").text) ==
        squeezed("void f() {" + launch("k", "k", "1, 32") + "(d, n); }"));
  CHECK(squeezed(rewrite_text("void f() {\n\n k<<<g, b, 4*n, s>>>(d); }").text) ==
        squeezed("void f() {" + launch("k", "k", "g, b, 4*n, s", 3) + "(d); }"));
}

TEST_CASE("what is launched may be any postfix expression") {
  for (const char* callee :
       {"k", "ns::k", "::ns::k", "k<int>", "ns::k<(A>2)?64:32>", "k<Box<Box<float,2>,2>>", "(*fp)",
        "tab[w&1]", "t.entry", "q->entry", "q->get()", "choose(0)", "a.b->c[1].d", "k<f(a,b)>",
        "(**p)", "T::template k<int>"}) {
    CAPTURE(callee);
    const std::string source = std::string("void f() { x = 1; ") + callee + "<<<1,1>>>(d); }";
    CHECK(squeezed(rewrite_text(source).text) ==
          squeezed("void f() { x = 1; " + launch(callee, callee, "1,1") + "(d); }"));
  }
}

TEST_CASE("the callee ends where the statement before it ends") {
  for (const char* before :
       {"if(b) ", "if (b) f(); else ", "b ? ", "(a, ", "return ", "x = ", "do ", "while (b) ",
        "for (;;) ", "{", "case 1: ", "(void)", "label: "}) {
    CAPTURE(before);
    const std::string source = std::string("void f() { ") + before + "k<<<1,1>>>(d); }";
    CHECK(
        contains(squeezed(rewrite_text(source).text), squeezed(before) + launch("k", "k", "1,1")));
  }
  const std::string source = "void f() { if (b) (*fp)<<<1,1>>>(d); }";
  CHECK(contains(squeezed(rewrite_text(source).text), "if(b)" + launch("(*fp)", "(*fp)", "1,1")));
}

TEST_CASE("configurations") {
  for (const char* config : {"a>>1,b>>2", "{1,1,1},{32,1,1}", "1,q=='\"'?1:2", "w>4?2:1,w<<3",
                             "f(a,b),g<int>(c)", "h<Q<Q<int>>>(n),1", "dim3(1,2),dim3(3)",
                             "x/1'000,1", "(a<b),(c>d)", "[]{return 1;}(),1"}) {
    CAPTURE(config);
    const std::string source = std::string("void f() { k<<<") + config + ">>>(d); }";
    CHECK(squeezed(rewrite_text(source).text) ==
          squeezed("void f() {" + launch("k", "k", config) + "(d); }"));
  }
  for (const char* spaced : {"k<< <1,1>>>(d)", "k<<<1,1>> >(d)", "k<<<1,1> >>(d)",
                             "k<<<1,1> > >(d)", "k <<< 1,1 >>> (d)", "k\n<<<1,1>>>\n(d)"}) {
    CAPTURE(spaced);
    CHECK(contains(squeezed(rewrite_text(std::string("void f() {") + spaced + ";}").text),
                   "|::simt::config(1,1))(d);"));
  }
}

TEST_CASE("two launches in one statement") {
  CHECK(squeezed(rewrite_text("void f() { k<<<1,1>>>(d), j<<<2,2>>>(e); }").text) ==
        squeezed("void f() {" + launch("k", "k", "1,1") + "(d)," + launch("j", "j", "2,2") +
                 "(e); }"));
  CHECK(contains(squeezed(rewrite_text("void f() { a<<<1,1>>>([=] { b<<<2,2>>>(c); }); }").text),
                 launch("b", "b", "2,2") + "(c);"));
}

TEST_CASE("deduced and overloaded kernels are called by name alone") {
  const std::string deduced =
      "(::simt::launch(\"k\",1,[&](auto&...simt_a){k(simt_a...);})|::simt::config(1,1))(d);";
  CHECK(contains(squeezed(rewrite_text("template<class T> __global__ void k(T* p) {} "
                                       "void f() { k<<<1,1>>>(d); }")
                              .text),
                 deduced));
  CHECK(contains(squeezed(rewrite_text("__global__ void k(int* p) {} __global__ void k(float* p) {}"
                                       "void f() { k<<<1,1>>>(d); }")
                              .text),
                 deduced));
  CHECK(contains(squeezed(rewrite_text("template<int N, class T> __global__ void k(T* p) {} "
                                       "void f() { k<4><<<1,1>>>(d); }")
                              .text),
                 "[&](auto&...simt_a){k<4>(simt_a...);})"));
  CHECK(contains(squeezed(rewrite_text("template<int N, int M = 2> __global__ void k(int* p) {} "
                                       "void f() { k<4><<<1,1>>>(d); }")
                              .text),
                 launch("k<4>", "k<4>", "1,1")));
  // A declaration before the definition makes no overload.
  CHECK(contains(squeezed(rewrite_text("__global__ void k(int* p, const int n);"
                                       "__global__ void k(int* __restrict__ q, int m) {}"
                                       "void f() { k<<<1,1>>>(d); }")
                              .text),
                 launch("k", "k", "1,1")));
}

TEST_CASE("the words that nvcc adds are erased where they stand") {
  CHECK(rewrite_text("__device__ int f();").text == "           int f();");
  CHECK(rewrite_text("__host__ __device__ int f();").text == "                    int f();");
  CHECK(rewrite_text("__device__ __forceinline__ int f();").text ==
        "           inline          int f();");
  CHECK(rewrite_text("inline __forceinline__ int f();").text == "inline                 int f();");
  CHECK(rewrite_text("__noinline__ int f();").text == "__attribute__((noinline)) int f();");
  CHECK(rewrite_text("__attribute__((__noinline__)) int f();").text ==
        "__attribute__((__noinline__)) int f();");
  CHECK(squeezed(rewrite_text("auto l = [=] __device__ (int i) { return i; };").text) ==
        "autol=[=](inti){returni;};");
}

TEST_CASE("kernels are kept out of line, registered and know their bounds") {
  CHECK(squeezed(rewrite_text("__global__ void k(int* d) { d[0] = 1; }").text) ==
        squeezed("__attribute__((noinline)) void k(int* d) { d[0] = 1; }"
                 "static const ::simt::RegisterKernel k_simt(k, \"k\", 0);"));
  CHECK(squeezed(rewrite_text("__global__ void __launch_bounds__(256, 2) k() {}").text) ==
        squeezed("__attribute__((noinline)) void k() { ::simt::launch_bounds(256, 2); }"
                 "static const ::simt::RegisterKernel k_simt(k, \"k\", 256);"));
  CHECK(squeezed(
            rewrite_text("template<int N> __global__ void __launch_bounds__(N*2) k() {}").text) ==
        squeezed("template<int N> __attribute__((noinline)) void k() "
                 "{ ::simt::launch_bounds(N*2); static_cast<void>(&::simt::kernel_instance<&k<N>, "
                 "\"k\", static_cast<int>(N*2)>); }"));
}

TEST_CASE("template kernels are registered where they can name their instance") {
  const auto registers = [](const char* source) {
    return contains(rewrite_text(source).text, "kernel_instance");
  };
  CHECK(registers("template <class T, int N = 3> __global__ void k(T* p) {}"));
  CHECK(registers("template <template <class> class B, class T> __global__ void k(B<T> p) {}"));
  CHECK_FALSE(registers("template <class... T> __global__ void k(T... p) {}"));
  CHECK_FALSE(registers("template <int> __global__ void k(int* p) {}"));
  CHECK_FALSE(registers("template <unsigned int> __global__ void k(int* p) {}"));
  CHECK_FALSE(registers("template <class T, Mode> __global__ void k(T* p) {}"));
  CHECK_FALSE(registers("template <> __global__ void k<int>(int* p) {}"));
  CHECK_FALSE(registers("template <class T> __global__ void k(T* k) {}"));
  CHECK_FALSE(
      registers("template <class T> __global__ void k(T* p) {}"
                "template <class T> __global__ void k(T* p, T* q) {}"));
}

TEST_CASE("device functions with a barrier are kept out of line") {
  CHECK(contains(rewrite_text("__device__ void f() { (::simt::barrier(0, 1)); }").text,
                 "__attribute__((noinline)) void f()"));
  CHECK(contains(rewrite_text("template<class T> static __device__ __forceinline__ void f(T t) { "
                              "(::simt::barrier(0, 1)); }")
                     .text,
                 "static __attribute__((noinline)) inline"));
  CHECK_FALSE(contains(rewrite_text("__device__ void f() { g(); }").text, "noinline"));
  CHECK(
      contains(rewrite_text("struct S { __device__ S() : a(1), b{2} { __syncthreads(); } };").text,
               "struct S { __attribute__((noinline)) S()"));
}

TEST_CASE("shared variables inside functions become references") {
  const std::string text =
      rewrite_text("__global__ void k() {\n  __shared__ float a[32][33], b;\n}").text;
  CHECK(contains(text, "typedef"));
  CHECK(contains(text, "float a_simt[32][33], b_simt;"));
  CHECK(contains(text, "a_simt& a = ::simt::shared_variable<a_simt>(a_simt_site);"));
  CHECK(contains(text, "b_simt& b = ::simt::shared_variable<b_simt>(b_simt_site);"));
  CHECK(contains(text, "::simt::shared_site<a_simt>(\"a\", 2)"));
  CHECK(lines(text) == 2);
}

TEST_CASE("dynamic shared variables") {
  CHECK(
      contains(rewrite_text("__global__ void k() { extern __shared__ float s[]; s[0] = 1; }").text,
               "float s_simt[];"));
  const std::string text = rewrite_text(
                               "extern __shared__ float s[];\n"
                               "__device__ float f() { return s[0]; }\n"
                               "__device__ float g(float s) { return s; }\n"
                               "float host() { return 0; }\n")
                               .text;
  CHECK(contains(text, "__device__") == false);
  CHECK(contains(text, "f() {  [[maybe_unused]] s_simt& s = "));
  CHECK(contains(text, "g(float s) { return s; }"));
  CHECK(contains(text, "host() { return 0; }"));
}

TEST_CASE("file-scope variables are placed and registered") {
  CHECK(contains(rewrite_text("__device__ float x[4];").text,
                 "float x[4]; static const ::simt::RegisterSymbol x_simt(x, \"x\", "
                 "::simt::SymbolKind::device_memory);"));
  CHECK(contains(rewrite_text("__constant__ int c[] = {1, 2}, d = f<a, b>(3);").text,
                 "RegisterSymbol d_simt(d, \"d\", ::simt::SymbolKind::constant_memory);"));
  CHECK(contains(rewrite_text("__managed__ int m = 3;").text, "managed_memory"));
  CHECK(
      contains(rewrite_text("__device__ void (*fp)(int) = g;").text, "RegisterSymbol fp_simt(fp"));
  CHECK_FALSE(contains(rewrite_text("__device__ int f(int x);").text, "RegisterSymbol"));
  CHECK_FALSE(
      contains(rewrite_text("__device__ int f(int x) { return x; }").text, "RegisterSymbol"));
  CHECK_FALSE(contains(rewrite_text("__device__ constexpr int two = 2;").text, "RegisterSymbol"));
  CHECK_FALSE(
      contains(rewrite_text("template<int N> __device__ int t[N];").text, "RegisterSymbol"));
  CHECK_FALSE(contains(rewrite_text("extern __device__ int x;").text, "RegisterSymbol"));
  CHECK_FALSE(contains(
      rewrite_text("struct S { __device__ int operator()(int x) const; __device__ S(); int y; };")
          .text,
      "RegisterSymbol"));
}

TEST_CASE("lambdas capture the shared variables that they use") {
  auto captures = [](const std::string& introducer) {
    const std::string text =
        rewrite_text("__global__ void k() { __shared__ int a[2]; auto f = " + introducer +
                     " { return a[0]; }; }")
            .text;
    const std::size_t begin = text.find("auto f = ") + 9;
    return text.substr(begin, text.find('{', begin) - begin);
  };
  CHECK(captures("[]") == "[&a] ");
  CHECK(captures("[=]") == "[=, &a] ");
  CHECK(captures("[&]") == "[&] ");
  CHECK(captures("[x](int y)") == "[x, &a](int y) ");
  CHECK(captures("[&a]") == "[&a] ");
}

TEST_CASE("lambdas with a barrier are kept out of line") {
  const std::string text =
      rewrite_text(
          "__global__ void k() { auto f = [&](int x) mutable -> int { __syncthreads(); return x; "
          "}; auto g = [&](int x) { return x; }; }")
          .text;
  CHECK(contains(text, "[&](int x) mutable __attribute__((noinline)) -> int {"));
  CHECK(contains(text, "[&](int x) { return x; }"));
}

TEST_CASE("mistakes are refused on the learner's line") {
  CHECK(contains(first_problem("__global__ void k() { static int n; }"),
                 "static local variable 'n'"));
  CHECK(contains(first_problem("__device__ int f() { static float t[3]; return 0; }"), "'t'"));
  CHECK(contains(first_problem("__global__ void k() { __shared__ int n = 0; }"), "initialiser"));
  CHECK(contains(first_problem("__global__ void k() { __shared__ int a[2] = {1, 2}; }"), "'a'"));
  CHECK(contains(first_problem("__global__ void k() { __shared__ int a{0}; }"), "'a'"));
  CHECK(contains(first_problem("__global__ void k(int* d) {} void f() { k(d); }"),
                 "called like a function"));
  CHECK(contains(
      first_problem("template<class T> __global__ void k(T* d) {} void f() { k<int>(d); }"),
      "called like a function"));
  CHECK(contains(first_problem("void f() { k<<<1,1>>>; }"), "without its argument list"));
  CHECK(contains(first_problem("void f() { k<<<1>>>(d); }"), "too few"));
  CHECK(contains(first_problem("void f() { k<<<1, 1(d); }"), "closing"));
  CHECK(contains(first_problem("void f() { <<<1, 1>>>(d); }"), "name"));
  CHECK(contains(first_problem("__global__ void k() {} __global__ void j() { k<<<1,1>>>(); }"),
                 "host code"));
  CHECK(contains(first_problem("struct S { __global__ void k() {} };"), "member"));
  const Rewritten result = rewrite_text("\n\n  void f() { k<<<1>>>(d); }");
  REQUIRE(result.problems.size() == 1);
  CHECK(result.problems[0].file == "k.cu");
  CHECK(result.problems[0].line == 3);
  CHECK(result.problems[0].column == 15);
}

TEST_CASE("what looks like a mistake and is none") {
  for (const char* source :
       {"__global__ void k() { static __shared__ int a[2]; a[0] = 1; }",
        "__global__ void k() { static const int t[2] = {1, 2}; static constexpr int n = 3; }",
        "__global__ void k() { struct S { static int f() { return 1; } }; }",
        "__global__ void k(int* d) {} void f() { void (*p)(int*) = k; auto q = &k; }",
        "__global__ void k(int* d) {} void f() { int k(3); }",
        "__global__ void k(int* d) {} void k(int* d, cudaStream_t s) { k(d, s); }",
        "void f() { static int n = 0; ++n; }",
        "__global__ void k(); template <class T> __global__ void t(T* p) {} "
        "template __global__ void t<int>(int*);",
        "__global__ void k(int*); void f(Object o) { o.k(3); o->k(4); other::k(5); }",
        "std::ostream& operator<<(std::ostream& s, X x) { return s << x.a << \">>>\"; }"}) {
    CAPTURE(source);
    CHECK(first_problem(source) == "");
  }
}

TEST_CASE("functions are described for the linker's messages") {
  const Rewritten result = rewrite_text(
      "namespace { void a(int x) {} } namespace n { void b() {} } static void c() {}\n"
      "extern \"C\" void d() {} template<class T> void e() {} void f(const float* x, int n);");
  REQUIRE(result.functions.size() == 6);
  CHECK(result.functions[0].in_anonymous_namespace);
  CHECK(result.functions[0].parameters == "int x");
  CHECK(result.functions[1].in_namespace);
  CHECK_FALSE(result.functions[1].in_anonymous_namespace);
  CHECK(result.functions[2].is_static);
  CHECK(result.functions[3].extern_c);
  CHECK(result.functions[4].is_template);
  CHECK_FALSE(result.functions[5].has_body);
  CHECK(result.functions[5].line == 2);
}

TEST_CASE("global functions that take a stream tell that they run, and with what sizes") {
  const auto call = [](const char* sizes) {
    return squeezed("{const::simt::HostCall simt_host_call(__builtin_return_address(0),\"f\",{" +
                    std::string(sizes) + "});body;}");
  };
  const auto rewritten = [](std::string_view source) {
    const Rewritten result = rewrite_text(source);
    CHECK(lines(result.text) == lines(source));
    return squeezed(result.text);
  };
  CHECK(contains(rewritten("void f(const float* a, int n, int m, cudaStream_t s) { body; }"),
                 call("{\"n\",n},{\"m\",m}")));
  CHECK(contains(
      rewritten("int f(P<1, 2> p, const int\n n, float x, int* q, cudaStream_t s) {body;}"),
      call("{\"n\",n}")));
  CHECK(contains(rewritten("void f(cudaStream_t s) { body; }"), call("")));
  for (const char* source :
       {"void f(int n, cudaStream_t s);", "static void f(int n, cudaStream_t s) { body; }",
        "namespace { void f(int n, cudaStream_t s) { body; } }", "void f(int n) { body; }",
        "struct A { void f(cudaStream_t s) { body; } };", "void f(cudaStream_t) { body; }",
        "template <class T> void f(T n, cudaStream_t s) { body; }", "void f() { body; }",
        "void f(int n, cudaStream_t* s) { body; }"}) {
    CHECK(rewrite_text(source).text == source);
  }
}
