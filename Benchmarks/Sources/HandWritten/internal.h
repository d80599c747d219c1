#ifndef HAND_WRITTEN_INTERNAL_H
#define HAND_WRITTEN_INTERNAL_H

#include "HandWritten.h"
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hw_store {
    sqlite3 *db;
    // Entity numbers of the file.
    int64_t animal, category, tag, visit;
    char join_table[64], join_animal[64], join_tag[64];
    // Set while history is written.
    sqlite3_stmt *change;
    int64_t transaction_key, next_change;
};

void hw_fail(sqlite3 *db, const char *what) __attribute__((noreturn));
void hw_exec(sqlite3 *db, const char *sql);
sqlite3_stmt *hw_prepare(sqlite3 *db, const char *sql);
void hw_done(sqlite3_stmt *statement);
int64_t hw_integer(sqlite3 *db, const char *sql);
void hw_raise_key(sqlite3 *db, int64_t entity, int64_t key);

// History of one transaction: begun once, one row for each change, ended before the commit.
enum { HW_INSERTED = 0, HW_UPDATED = 1, HW_DELETED = 2 };
void hw_history_begin(hw_store *store);
void hw_history_add(hw_store *store, int kind, int64_t entity, int64_t key);
void hw_history_end(hw_store *store);

#endif
