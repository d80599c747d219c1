// Looking at stores from outside, and fitting a store to another model.
#include "internal.h"

static int has_table(sqlite3 *db, const char *name) {
    sqlite3_stmt *s = hw_prepare(db, "SELECT 1 FROM sqlite_master WHERE type='table' AND name=?");
    sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC);
    int found = sqlite3_step(s) == SQLITE_ROW;
    sqlite3_finalize(s);
    return found;
}

// Tables of the model store that are wanted here, as it has them, with their indexes.
static void copy_definitions(sqlite3 *db, const char *table_pattern) {
    sqlite3_stmt *s = hw_prepare(
        db, "SELECT sql FROM model.sqlite_master WHERE tbl_name LIKE ? AND sql IS NOT NULL ORDER BY rowid");
    sqlite3_bind_text(s, 1, table_pattern, -1, SQLITE_STATIC);
    while (sqlite3_step(s) == SQLITE_ROW) hw_exec(db, (const char *)sqlite3_column_text(s, 0));
    sqlite3_finalize(s);
}

void hw_adopt(const char *path, const char *model_store, hw_history history) {
    sqlite3 *db = 0;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, 0) != SQLITE_OK) hw_fail(db, path);
    sqlite3_stmt *s = hw_prepare(db, "ATTACH ? AS model");
    sqlite3_bind_text(s, 1, model_store, -1, SQLITE_STATIC);
    hw_done(s);
    sqlite3_finalize(s);
    hw_exec(db, "DELETE FROM Z_METADATA; INSERT INTO Z_METADATA SELECT * FROM model.Z_METADATA;"
                "DROP TABLE IF EXISTS ATRANSACTION");
    if (history == HW_WITH_HISTORY) copy_definitions(db, "ATRANSACTION%");
    hw_exec(db, "DETACH model; PRAGMA wal_checkpoint(TRUNCATE)");
    sqlite3_close(db);
}

void hw_forget_history(const char *path) {
    sqlite3 *db = 0;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, 0) != SQLITE_OK) hw_fail(db, path);
    hw_exec(db, "DROP TABLE IF EXISTS ATRANSACTION; PRAGMA wal_checkpoint(TRUNCATE)");
    sqlite3_close(db);
}

static double real(sqlite3 *db, const char *sql) {
    sqlite3_stmt *s = hw_prepare(db, sql);
    double value = sqlite3_step(s) == SQLITE_ROW ? sqlite3_column_double(s, 0) : 0;
    sqlite3_finalize(s);
    return value;
}

hw_digest hw_digest_of(const char *path) {
    hw_store *store = hw_open(path);
    sqlite3 *db = store->db;
    hw_digest d = {0};
    d.categories = hw_integer(db, "SELECT count(*) FROM ZANIMALCATEGORY");
    d.category_keys = hw_integer(db, "SELECT sum(Z_PK) FROM ZANIMALCATEGORY");
    d.animals = hw_integer(db, "SELECT count(*) FROM ZANIMAL");
    d.animal_keys = hw_integer(db, "SELECT sum(Z_PK) FROM ZANIMAL");
    d.linked_animals = hw_integer(db, "SELECT count(ZCATEGORY) FROM ZANIMAL");
    d.linked_animal_keys = hw_integer(db, "SELECT sum(Z_PK) FROM ZANIMAL WHERE ZCATEGORY IS NOT NULL");
    d.aged_animal_keys = hw_integer(db, "SELECT sum(Z_PK) FROM ZANIMAL WHERE ZAGE>=50");
    d.version_sum = hw_integer(db, "SELECT sum(Z_OPT) FROM ZANIMAL");
    d.age_sum = hw_integer(db, "SELECT sum(ZAGE) FROM ZANIMAL");
    d.weight_sum = real(db, "SELECT total(ZWEIGHT) FROM ZANIMAL");
    if (has_table(db, "ZVISIT")) {
        d.visits = hw_integer(db, "SELECT count(*) FROM ZVISIT");
        d.visit_keys = hw_integer(db, "SELECT sum(Z_PK) FROM ZVISIT");
    }
    if (has_table(db, store->join_table)) {
        char sql[128];
        snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", store->join_table);
        d.join_rows = hw_integer(db, sql);
    }
    hw_close(store);
    return d;
}
