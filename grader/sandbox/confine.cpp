#include "confine.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace grade::sandbox {
namespace {

using Filter = std::unique_ptr<void, decltype(&seccomp_release)>;

constexpr std::uint64_t kLow32 = 0xffff'ffff;

// Calls that no kernel needs and that reach beyond the process: announced, then the end.
constexpr std::array kForbidden = {
    SCMP_SYS(fork),
    SCMP_SYS(vfork),
    SCMP_SYS(execve),
    SCMP_SYS(setsid),
    SCMP_SYS(setpgid),
    SCMP_SYS(socket),
    SCMP_SYS(socketpair),
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(pidfd_open),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(pidfd_send_signal),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(move_mount),
    SCMP_SYS(open_tree),
    SCMP_SYS(fsopen),
    SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    SCMP_SYS(bpf),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(reboot),
    SCMP_SYS(kexec_load),
    SCMP_SYS(kexec_file_load),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(delete_module),
    SCMP_SYS(swapon),
    SCMP_SYS(swapoff),
    SCMP_SYS(settimeofday),
    SCMP_SYS(clock_settime),
    SCMP_SYS(sethostname),
    SCMP_SYS(setuid),
    SCMP_SYS(setgid),
    SCMP_SYS(setreuid),
    SCMP_SYS(setregid),
    SCMP_SYS(setresuid),
    SCMP_SYS(setresgid),
    SCMP_SYS(setfsuid),
    SCMP_SYS(setgroups),
    SCMP_SYS(capset),
    // Their objects outlive the process.
    SCMP_SYS(shmget),
    SCMP_SYS(msgget),
    SCMP_SYS(semget),
    SCMP_SYS(mq_open),
};

// Calls that libraries try in passing: refused without a fuss.
constexpr std::array kRefused = {
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(setrlimit),
    SCMP_SYS(setpriority),
    SCMP_SYS(sched_setscheduler),
    SCMP_SYS(sched_setparam),
    SCMP_SYS(sched_setattr),
    SCMP_SYS(ioprio_set),
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
    SCMP_SYS(keyctl),
    SCMP_SYS(name_to_handle_at),
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(kcmp),
    SCMP_SYS(process_madvise),
    SCMP_SYS(rt_sigqueueinfo),
    SCMP_SYS(syslog),
    SCMP_SYS(adjtimex),
    SCMP_SYS(clock_adjtime),
};

void check(int result, const char* what) {
  // A call that this processor does not have needs no rule.
  if (result < 0 && result != -EDOM) {
    throw std::runtime_error(std::string(what) + ": " + std::strerror(-result));
  }
}

void add_rules(scmp_filter_ctx filter, std::uint32_t forbidden, int exec_fd) {
  for (const int call : kForbidden) {
    check(seccomp_rule_add(filter, forbidden, call, 0), "seccomp rule");
  }
  const std::uint32_t refused = SCMP_ACT_ERRNO(EPERM);
  for (const int call : kRefused) {
    check(seccomp_rule_add(filter, refused, call, 0), "seccomp rule");
  }
  const auto self = static_cast<scmp_datum_t>(getpid());
  const auto add = [&](std::uint32_t action, int call, scmp_arg_cmp condition) {
    check(seccomp_rule_add_array(filter, action, call, 1, &condition), "seccomp rule");
  };
  check(seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0), "seccomp rule");
  add(forbidden, SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
  add(forbidden, SCMP_SYS(execveat), SCMP_A0(SCMP_CMP_NE, static_cast<scmp_datum_t>(exec_fd)));
  add(forbidden, SCMP_SYS(execveat), SCMP_A4(SCMP_CMP_NE, AT_EMPTY_PATH));
  for (const int call : {SCMP_SYS(kill), SCMP_SYS(tgkill), SCMP_SYS(rt_tgsigqueueinfo)}) {
    add(forbidden, call, SCMP_A0(SCMP_CMP_NE, self));
  }
  add(refused, SCMP_SYS(tkill), SCMP_A0(SCMP_CMP_NE, self));
  add(refused, SCMP_SYS(prlimit64), SCMP_A2(SCMP_CMP_NE, 0));
  for (const int option : {PR_SET_PDEATHSIG, PR_SET_PTRACER, PR_SET_CHILD_SUBREAPER}) {
    add(refused, SCMP_SYS(prctl),
        SCMP_A0(SCMP_CMP_MASKED_EQ, kLow32, static_cast<scmp_datum_t>(option) & kLow32));
  }
}

int load_filter(std::uint32_t forbidden, int exec_fd) {
  const Filter filter(seccomp_init(SCMP_ACT_ALLOW), &seccomp_release);
  if (!filter) throw std::runtime_error("seccomp: no filter");
  add_rules(filter.get(), forbidden, exec_fd);
  return seccomp_load(filter.get());
}

}  // namespace

int install_system_call_filter(int exec_fd) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    throw std::runtime_error("PR_SET_NO_NEW_PRIVS failed");
  }
  const Filter announcing(seccomp_init(SCMP_ACT_ALLOW), &seccomp_release);
  if (!announcing) throw std::runtime_error("seccomp: no filter");
  add_rules(announcing.get(), SCMP_ACT_NOTIFY, exec_fd);
  if (seccomp_load(announcing.get()) == 0) {
    const int from_library = seccomp_notify_fd(announcing.get());
    const int kept = fcntl(from_library, F_DUPFD_CLOEXEC, 3);
    return kept;
  }
  check(load_filter(SCMP_ACT_KILL_PROCESS, exec_fd), "seccomp filter");
  return -1;
}

std::string next_forbidden_call(int notify_fd) {
  seccomp_notif* request = nullptr;
  seccomp_notif_resp* response = nullptr;
  if (seccomp_notify_alloc(&request, &response) != 0) return "a forbidden call";
  std::string name;
  if (seccomp_notify_receive(notify_fd, request) == 0) {
    char* resolved = seccomp_syscall_resolve_num_arch(request->data.arch, request->data.nr);
    name = resolved != nullptr ? resolved : "a forbidden call";
    std::free(resolved);
  }
  seccomp_notify_free(request, response);
  return name;
}

void drop_capabilities() {
  for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; ++capability) {
    // Files of a mounted tree may belong to somebody else.
    if (capability == CAP_DAC_OVERRIDE || capability == CAP_DAC_READ_SEARCH) continue;
    prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  }
}

bool restrict_writes_to(const std::string& folder) {
  // The rights of the first version of Landlock that write; running and reading stay free.
  constexpr std::uint64_t kWriting = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                     LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                     LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                                     LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                     LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
  landlock_ruleset_attr attributes{};
  attributes.handled_access_fs = kWriting;
  const int rules = static_cast<int>(
      syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes.handled_access_fs, 0));
  if (rules < 0) return false;
  const auto allow = [rules](const char* path, std::uint64_t rights) {
    landlock_path_beneath_attr beneath{};
    beneath.allowed_access = rights;
    beneath.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (beneath.parent_fd < 0) return;
    syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
    close(beneath.parent_fd);
  };
  allow(folder.c_str(), kWriting);
  allow("/dev/null", LANDLOCK_ACCESS_FS_WRITE_FILE);
  const bool restricted = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                          syscall(SYS_landlock_restrict_self, rules, 0) == 0;
  close(rules);
  return restricted;
}

}  // namespace grade::sandbox
