#define _GNU_SOURCE

#include "state.h"

#if defined(__linux__) && !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Calls of the C library that make, fill and remove files of large values, in place of the library's own for the whole
   program: all callers, Foundation among them, call these. All other files go to the originals. Elsewhere than on
   Linux, and beside sanitizers, programs cannot put their own in place of the library's so easily: there only SQLite's
   calls fail. */

int fault_has_files(void) { return 1; }

/* Whether a file that is open is one of large values, or the folder of them. */
static _Atomic unsigned char ours[4096];

#define ORIGINAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* The tests' own process has these functions too, and never installs anything. */
static int is_ours(const char *path) { return installed && path && strstr(path, "_SUPPORT") != 0; }
static int is_open(int file) { return file >= 0 && file < (int)sizeof ours && ours[file]; }

/* The error for a call that fails now, or 0. Kills at once. */
static int error_of(int needs_room) {
    int code = 0;
    switch (armed) {
    case FaultKill:
    case FaultIOError: code = EIO; break;
    case FaultDenied: code = EACCES; break;
    case FaultFull: code = needs_room ? ENOSPC : 0; break;
    default: break;
    }
    if (!code) return 0;
    file_calls += 1;
    if (!fails()) return 0;
    if (armed == FaultKill) die();
    return code;
}

#define FAIL_IF(is_meant, needs_room)                                                                                  \
    do {                                                                                                               \
        int code = (is_meant) ? error_of(needs_room) : 0;                                                              \
        if (code) {                                                                                                    \
            errno = code;                                                                                              \
            return -1;                                                                                                 \
        }                                                                                                              \
    } while (0)

int open(const char *path, int flags, ...) {
    mode_t mode = 0;
    if (flags & (O_CREAT | O_TMPFILE)) {
        va_list arguments;
        va_start(arguments, flags);
        mode = va_arg(arguments, mode_t);
        va_end(arguments);
    }
    int writes = (flags & O_ACCMODE) != O_RDONLY;
    FAIL_IF(is_ours(path) && writes, flags & O_CREAT);
    int file = ORIGINAL(open)(path, flags, mode);
    if (file >= 0 && file < (int)sizeof ours) ours[file] = (unsigned char)is_ours(path);
    return file;
}

int close(int file) {
    if (is_open(file)) ours[file] = 0;
    return ORIGINAL(close)(file);
}

/* Half of what is written arrives before it fails. */
ssize_t write(int file, const void *bytes, size_t count) {
    if (!is_open(file)) return ORIGINAL(write)(file, bytes, count);
    enum FaultKind kind = armed;
    if (kind == FaultIOError || kind == FaultFull || kind == FaultKill) {
        file_calls += 1;
        if (fails()) {
            ORIGINAL(write)(file, bytes, count / 2);
            if (kind == FaultKill) die();
            errno = kind == FaultFull ? ENOSPC : EIO;
            return -1;
        }
    }
    return ORIGINAL(write)(file, bytes, count);
}

/* The disk need not be waited for: only processes are killed. */
int fsync(int file) {
    if (!is_open(file)) return ORIGINAL(fsync)(file);
    if (armed != FaultDenied) FAIL_IF(1, 0);
    return 0;
}

int unlink(const char *path) {
    FAIL_IF(is_ours(path), 0);
    return ORIGINAL(unlink)(path);
}

int mkdir(const char *path, mode_t mode) {
    FAIL_IF(is_ours(path), 1);
    return ORIGINAL(mkdir)(path, mode);
}

int link(const char *from, const char *to) {
    FAIL_IF(is_ours(to), 1);
    return ORIGINAL(link)(from, to);
}

#else

int fault_has_files(void) { return 0; }

#endif
