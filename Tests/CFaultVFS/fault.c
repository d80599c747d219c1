#include "CFaultVFS.h"
#include "state.h"

#include <signal.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

static sqlite3_vfs *original;
static sqlite3_vfs wrapper;
int installed;
enum FaultKind armed;
long counted;
long file_calls;
static long failing;
static int persistent;

/* An open file: ours, with the original's right behind it. */
typedef struct {
    sqlite3_file base;
} FaultFile;

static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((FaultFile *)file + 1); }

void die(void) { kill(getpid(), SIGKILL); }

int fails(void) {
    counted += 1;
    return failing > 0 && (counted == failing || (persistent && counted > failing));
}

static int changing(int code) {
    if (armed == FaultKill && fails()) die();
    if (armed == FaultIOError && fails()) return code;
    return SQLITE_OK;
}

static int fault_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int fault_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 place) {
    return real(file)->pMethods->xRead(real(file), bytes, count, place);
}

static int fault_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 place) {
    sqlite3_file *target = real(file);
    if (armed == FaultKill && fails()) {
        /* Every second one is torn. */
        if (counted % 2) target->pMethods->xWrite(target, bytes, count / 2, place);
        die();
    }
    if (armed == FaultIOError && fails()) return SQLITE_IOERR_WRITE;
    if (armed == FaultFull && fails()) return SQLITE_FULL;
    return target->pMethods->xWrite(target, bytes, count, place);
}

static int fault_truncate(sqlite3_file *file, sqlite3_int64 size) {
    int code = changing(SQLITE_IOERR_TRUNCATE);
    return code != SQLITE_OK ? code : real(file)->pMethods->xTruncate(real(file), size);
}

/* Nothing here survives the machine, only the process: the disk need not be waited for. */
static int fault_sync(sqlite3_file *file, int flags) {
    (void)file;
    (void)flags;
    return changing(SQLITE_IOERR_FSYNC);
}

static int fault_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real(file)->pMethods->xFileSize(real(file), size);
}

static int fault_lock(sqlite3_file *file, int level) {
    if (armed == FaultBusy && fails()) return SQLITE_BUSY;
    return real(file)->pMethods->xLock(real(file), level);
}

static int fault_unlock(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }

static int fault_reserved(sqlite3_file *file, int *result) {
    return real(file)->pMethods->xCheckReservedLock(real(file), result);
}

static int fault_control(sqlite3_file *file, int operation, void *argument) {
    return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int fault_sector(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }

static int fault_traits(sqlite3_file *file) { return real(file)->pMethods->xDeviceCharacteristics(real(file)); }

static int fault_map(sqlite3_file *file, int region, int size, int extend, void volatile **memory) {
    return real(file)->pMethods->xShmMap(real(file), region, size, extend, memory);
}

static int fault_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    if (flags & SQLITE_SHM_LOCK) {
        if (armed == FaultKill && fails()) die();
        if (armed == FaultBusy && fails()) return SQLITE_BUSY;
    }
    return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void fault_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }

static int fault_unmap(sqlite3_file *file, int removes) {
    return real(file)->pMethods->xShmUnmap(real(file), removes);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = fault_close,
    .xRead = fault_read,
    .xWrite = fault_write,
    .xTruncate = fault_truncate,
    .xSync = fault_sync,
    .xFileSize = fault_size,
    .xLock = fault_lock,
    .xUnlock = fault_unlock,
    .xCheckReservedLock = fault_reserved,
    .xFileControl = fault_control,
    .xSectorSize = fault_sector,
    .xDeviceCharacteristics = fault_traits,
    .xShmMap = fault_map,
    .xShmLock = fault_shm_lock,
    .xShmBarrier = fault_barrier,
    .xShmUnmap = fault_unmap,
};

static int fault_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *outFlags) {
    (void)vfs;
    memset(real(file), 0, (size_t)original->szOsFile);
    int code = original->xOpen(original, name, real(file), flags, outFlags);
    file->pMethods = real(file)->pMethods ? &methods : 0;
    return code;
}

static int fault_delete(sqlite3_vfs *vfs, const char *name, int syncs) {
    (void)vfs;
    if (armed == FaultKill && fails()) die();
    return original->xDelete(original, name, syncs);
}

/* Others never come free by waiting. */
static int fault_sleep(sqlite3_vfs *vfs, int microseconds) {
    (void)vfs;
    return microseconds;
}

int fault_install(void) {
    if (original) return SQLITE_OK;
    sqlite3_initialize();
    original = sqlite3_vfs_find(0);
    if (!original) return SQLITE_ERROR;
    wrapper = *original;
    wrapper.zName = "fault";
    wrapper.pNext = 0;
    wrapper.szOsFile = (int)sizeof(FaultFile) + original->szOsFile;
    wrapper.xOpen = fault_open;
    wrapper.xDelete = fault_delete;
    wrapper.xSleep = fault_sleep;
    installed = 1;
    return sqlite3_vfs_register(&wrapper, 1);
}

void fault_arm(enum FaultKind kind, long nth, int stays) {
    armed = kind;
    failing = nth;
    persistent = stays;
    counted = 0;
    file_calls = 0;
}

long fault_disarm(void) {
    armed = 0;
    return counted;
}

long fault_file_calls(void) { return file_calls; }
