#ifndef STATE_H
#define STATE_H

#include "CFaultVFS.h"

/* What both kinds of calls share: those of SQLite, and those for files of large values. */

/* Whether calls are looked at in this process. */
extern int installed;

extern enum FaultKind armed;
extern long counted;
/* Those of them that were for files of large values. */
extern long file_calls;

/* Counts a call. Whether it is one that fails. */
int fails(void);

void die(void);

#endif
