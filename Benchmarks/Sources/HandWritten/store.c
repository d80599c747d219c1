// Opening a store, and the small functions that everything else is made of.
#include "internal.h"
#ifdef __GLIBC__
#include <malloc.h>
#endif

void hw_fail(sqlite3 *db, const char *what) {
    fprintf(stderr, "hand-written: %s: %s\n", what, db ? sqlite3_errmsg(db) : "out of memory");
    exit(1);
}

void hw_exec(sqlite3 *db, const char *sql) {
    if (sqlite3_exec(db, sql, 0, 0, 0) != SQLITE_OK) hw_fail(db, sql);
}

sqlite3_stmt *hw_prepare(sqlite3 *db, const char *sql) {
    sqlite3_stmt *statement = 0;
    if (sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, 0) != SQLITE_OK) hw_fail(db, sql);
    return statement;
}

void hw_done(sqlite3_stmt *statement) {
    if (sqlite3_step(statement) != SQLITE_DONE) hw_fail(sqlite3_db_handle(statement), sqlite3_sql(statement));
    sqlite3_reset(statement);
}

int64_t hw_integer(sqlite3 *db, const char *sql) {
    sqlite3_stmt *statement = hw_prepare(db, sql);
    int64_t value = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return value;
}

static int64_t entity_number(sqlite3 *db, const char *name) {
    sqlite3_stmt *statement = hw_prepare(db, "SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME=?");
    sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
    int64_t number = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return number;
}

// Cache, synchronisation and temporary storage as the library's connections have them.
hw_store *hw_open(const char *path) {
    hw_store *store = calloc(1, sizeof *store);
    if (!store) hw_fail(0, "open");
    if (sqlite3_open_v2(path, &store->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, 0) != SQLITE_OK)
        hw_fail(store->db, path);
    hw_exec(store->db, "PRAGMA cache_size=-32000; PRAGMA synchronous=NORMAL; PRAGMA temp_store=MEMORY");
    store->animal = entity_number(store->db, "Animal");
    store->category = entity_number(store->db, "AnimalCategory");
    store->tag = entity_number(store->db, "Tag");
    store->visit = entity_number(store->db, "Visit");
    snprintf(store->join_table, sizeof store->join_table, "Z_%lldTAGS", (long long)store->animal);
    snprintf(store->join_animal, sizeof store->join_animal, "Z_%lldANIMALS", (long long)store->animal);
    snprintf(store->join_tag, sizeof store->join_tag, "Z_%lldTAGS", (long long)store->tag);
    return store;
}

void hw_close(hw_store *store) {
    if (sqlite3_close(store->db) != SQLITE_OK) hw_fail(store->db, "close");
    free(store);
}

void hw_raise_key(sqlite3 *db, int64_t entity, int64_t key) {
    sqlite3_stmt *statement = hw_prepare(db, "UPDATE Z_PRIMARYKEY SET Z_MAX=? WHERE Z_ENT=?");
    sqlite3_bind_int64(statement, 1, key);
    sqlite3_bind_int64(statement, 2, entity);
    hw_done(statement);
    sqlite3_finalize(statement);
}

void hw_release_free_pages(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

int64_t hw_allocated_bytes(void) {
#ifdef __GLIBC__
    struct mallinfo2 info = mallinfo2();
    return (int64_t)(info.uordblks + info.hblkhd);
#else
    return 0;
#endif
}
