// Who may ask the server for what: decided before anything else looks at a request.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "serve/http.h"

namespace grade::serve {

// 128 random bits in hex.
std::string new_token();

// A program on the same machine, another user's included, can reach the port, and so can any page
// that a browser has open. So: the name in Host must be ours (else a foreign name made to point
// here could read the pages), a foreign page's Origin is refused, and what writes needs the token,
// which only the printed address brings: it comes back as a cookie, and a page gets the token only
// with that cookie.
class Guard {
 public:
  Guard(int port, std::string token);

  // "http://127.0.0.1:8052/?token=…", to be opened once.
  std::string address() const;

  // The reply that ends a request which may not go on.
  std::optional<Reply> refuse(const Request& request) const;
  // For the printed address: sets the cookie and leads to the page proper.
  std::optional<Reply> welcome(const Request& request) const;
  // Whether the browser came by the printed address.
  bool knows_token(const Request& request) const;

 private:
  std::string cookie_name() const;

  const int port_;
  const std::string token_;
};

}  // namespace grade::serve
