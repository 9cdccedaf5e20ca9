// What the server answers: the site's pages, what they post, and the stream of changes.
#pragma once

#include <atomic>
#include <string>

#include "serve/changes.h"
#include "serve/guard.h"
#include "serve/http.h"
#include "site/site.h"

namespace grade::serve {

class Service {
 public:
  // `token` is the one that the site's pages carry.
  Service(site::Site& site, const Guard& guard, Changes& changes, std::string token);

  Handlers handlers();
  Reply answer(const Request& request);

 private:
  Reply page(const Request& request);
  Reply events(const Request& request);
  Reply record(const Request& request);

  site::Site& site_;
  const Guard& guard_;
  Changes& changes_;
  const std::string token_;
  std::atomic<int> streams_{0};
};

}  // namespace grade::serve
