#ifndef CFAULTVFS_H
#define CFAULTVFS_H

/* A file system for SQLite that fails on demand. Everything goes to the default one, until the call that was asked to
   fail. For one thread. */

enum FaultKind {
    /* Writing, truncating and syncing report an input/output error. */
    FaultIOError = 1,
    /* Writing reports a full disk. */
    FaultFull = 2,
    /* Taking a lock reports that another has it. */
    FaultBusy = 3,
    /* The process is killed: before the call, or half way through a write. */
    FaultKill = 4,
};

/* Makes it the default for files opened from now on. Returns a SQLite result code. */
int fault_install(void);

/* From now on calls of the kind are counted. The nth fails, from 1; with `stays`, so do all that follow. With 0 they are
   only counted. */
void fault_arm(enum FaultKind kind, long nth, int stays);

/* Nothing fails any more. Returns how many calls were counted. */
long fault_disarm(void);

#endif
