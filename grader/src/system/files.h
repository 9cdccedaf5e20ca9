// Reading and writing whole files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace grade {

// Throws Error(unavailable) naming the file and the reason.
std::string read_file(const std::filesystem::path& path);
// Empty when the file does not exist; throws for any other failure.
std::optional<std::string> read_file_if_there(const std::filesystem::path& path);

// Where a file is in the end when `path` is a link; `path` itself otherwise. For writers: what they
// rename into place must not replace the link.
std::filesystem::path behind_links(const std::filesystem::path& path);

// A new content for a file, in two steps, so that something may be done between them.
class StagedFile {
 public:
  // Writes `content` to a temporary file beside `path` and syncs it. Creates missing folders.
  StagedFile(std::filesystem::path path, std::string_view content);
  ~StagedFile();  // removes the temporary file unless committed
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;
  // Renames the temporary file over `path` and syncs the folder.
  void commit();
  // The same where there is no such file yet; false where there is, which stays.
  bool commit_new();

 private:
  void sync_folder() const;

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  bool committed_ = false;
};

// Writes to a temporary file beside the target, syncs it, renames it over the target and syncs the
// folder: a reader, or a crash at any moment, sees the old content or the new, never a part.
// Creates missing folders. On failure the target is as it was and Error(unavailable) is thrown.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

// 128 bits as 32 hex digits (XXH3): names a file's content in caches and in progress.json. Not a
// protection against forgery.
std::string content_hash(std::string_view content);

}  // namespace grade
