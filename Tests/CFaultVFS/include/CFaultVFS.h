#ifndef CFAULTVFS_H
#define CFAULTVFS_H

/* A file system that fails on demand, for SQLite and for files of large values. Everything goes to the real one, until
   the call that was asked to fail. For one thread. */

enum FaultKind {
    /* Writing, truncating and syncing report an input/output error. */
    FaultIOError = 1,
    /* Writing reports a full disk. */
    FaultFull = 2,
    /* Taking a lock reports that another has it. */
    FaultBusy = 3,
    /* The process is killed: before the call, or half way through a write. */
    FaultKill = 4,
    /* Making, opening for writing and removing files of large values is not permitted. SQLite's calls are. */
    FaultDenied = 5,
};

/* Makes it the default for files opened from now on. Returns a SQLite result code. */
int fault_install(void);

/* From now on calls of the kind are counted. The nth fails, from 1; with `stays`, so do all that follow. With 0 they are
   only counted. */
void fault_arm(enum FaultKind kind, long nth, int stays);

/* Nothing fails any more. Returns how many calls were counted. */
long fault_disarm(void);

/* Whether calls for files of large values can fail on this system. */
int fault_has_files(void);

/* How many of the counted calls were for files of large values. */
long fault_file_calls(void);

#endif
