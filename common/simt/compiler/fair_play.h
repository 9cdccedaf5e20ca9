// What a lesson's file may not do, so that a verdict means something: take the work of others in,
// switch the checks off, or reach into the grader, which is in the same process.
//
// A guard against short cuts, not against an adversary: docs/security.md says where it ends.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "object_file.h"
#include "rewriter.h"

namespace simt::compiler {

// Why a lesson's file may not include `file`, one of the workbook's own (a solution, a grader,
// another lesson's kernel, what only a grader asks of the runtime); nothing where it may.
// `source` is the lesson's file: one that is a solution itself may share headers with others.
// `workbook` is its root, and empty where that is not known.
std::optional<std::string> why_not_include(const std::string& file, const std::string& source,
                                           const std::string& workbook, const std::string& lesson);

// The files that preprocessed text says were included, judged, each where it was included.
std::vector<Problem> check_included_files(std::string_view preprocessed, const std::string& source,
                                          const std::string& workbook, const std::string& lesson);

// The same for the files of a rule for make, which does not say where.
std::vector<Problem> check_dependencies(std::string_view rule, const std::string& source,
                                        const std::string& workbook, const std::string& lesson);

// Line markers and pragmas in the author's own text by which it would pass for a header of the
// system, which is not rewritten and whose constructs are not judged.
std::vector<Problem> check_disguises(std::string_view text, const std::string& file);

// Attributes in preprocessed text that leave the checks out of a function.
std::vector<Problem> check_attributes(std::string_view preprocessed, const std::string& file);

// What an object that may be loaded by a grader may not contain.
struct Trespass {
  std::string name;  // of the function, for people
  std::string why;
};
// `runtime` are the symbols of the CPU runtime, none for another.
std::vector<Trespass> check_symbols(const std::vector<Symbol>& object,
                                    const std::vector<Symbol>& runtime);

}  // namespace simt::compiler
