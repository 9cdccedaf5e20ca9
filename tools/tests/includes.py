#!/usr/bin/env python3
"""What a file takes from the standard library it includes, or a header of ours that it includes does.

Standard headers include each other, but which ones differs between compilers' versions: a file that leans on
that compiles here and not on the next release. clang-tidy has a check for this only from version 17 on.
"""
import functools
import pathlib
import re
import sys

FOLDERS = ("common", "grader", "lessons", "solutions", "tools")
ROOT = pathlib.Path(__file__).resolve().parents[2]
CALLS = {
    "algorithm": "all_of any_of binary_search clamp copy copy_if copy_n count count_if equal equal_range fill fill_n find find_if"
                 " for_each generate is_sorted iter_swap lower_bound max max_element merge min min_element minmax_element mismatch"
                 " next_permutation none_of nth_element partial_sort remove remove_if replace reverse rotate shuffle sort"
                 " stable_sort transform unique upper_bound",
    "cmath": "abs ceil copysign erf erfc exp exp2 expm1 fabs floor fma frexp hypot isfinite isinf isnan ldexp log log2 lround"
             " nextafter pow round signbit sqrt tanh trunc",
    "cstdio": "fflush fopen fprintf fputs fwrite printf snprintf",
    "cstdlib": "_Exit abort atoi calloc exit free getenv malloc strtod strtof strtol strtoul system",
    "cstring": "memcmp memcpy memset strchr strcmp strerror strlen strncmp strstr",
    "iterator": "back_inserter",
    "numeric": "accumulate exclusive_scan gcd inclusive_scan inner_product iota lcm midpoint partial_sum reduce",
    "tuple": "tie",
    "utility": "exchange move swap",
}
NAMES = {
    "array": "array",
    "bit": "bit_cast bit_ceil bit_width countl_zero countr_zero has_single_bit popcount",
    "cstdint": "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t",
    "deque": "deque",
    "functional": "function",
    "iterator": "istreambuf_iterator",
    "limits": "numeric_limits",
    "map": "map multimap",
    "memory": "make_shared make_unique shared_ptr unique_ptr",
    "mutex": "lock_guard mutex unique_lock",
    "optional": "nullopt optional",
    "set": "multiset set",
    "span": "span",
    "stdexcept": "invalid_argument logic_error out_of_range runtime_error",
    "string": "string to_string",
    "string_view": "string_view",
    "thread": "this_thread thread",
    "tuple": "tuple",
    "type_traits": "conditional_t decay_t is_same_v",
    "utility": "pair",
    "variant": "variant",
    "vector": "vector",
}
USES = [(header, re.compile(r"\bstd::(?:ranges::)?(?:%s)%s" % (names.replace(" ", "|"), after)))
        for table, after in ((CALLS, r"\("), (NAMES, r"\b")) for header, names in table.items()]


@functools.cache
def text(file: str) -> str:
    return re.sub(r"//.*", "", (ROOT / file).read_text())


def included(file: str, files: list[str]) -> set[str]:
    """The standard headers of a file and of those of ours that it includes."""
    headers, seen, waiting = set(), set(), [file]
    while waiting:
        each = waiting.pop()
        if each in seen:
            continue
        seen.add(each)
        headers |= set(re.findall(r"#include <([^>]+)>", text(each)))
        for name in re.findall(r'#include "([^"]+)"', text(each)):
            waiting += [other for other in files if other == name or other.endswith("/" + name.removeprefix("../"))]
    return headers


def main() -> int:
    files = sorted(str(file.relative_to(ROOT)) for folder in FOLDERS for kind in ("*.cpp", "*.h")
                   for file in (ROOT / folder).rglob(kind) if "node_modules" not in file.parts)
    wrong = []
    for file in files:
        headers = included(file, files)
        wrong += [f"{file}: {use.group(0).rstrip('(')} without #include <{header}>"
                  for header, pattern in USES if header not in headers and (use := pattern.search(text(file)))]
    print("\n".join(wrong) or f"{len(files)} files include what they use of the standard library")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
