// The history that Apple's stores keep: one row for the transaction, one for each row it changed.
#include "internal.h"

enum { CHANGE = 16001, TRANSACTION = 16002 };

void hw_history_begin(hw_store *store) {
    sqlite3 *db = store->db;
    store->transaction_key = 1 + hw_integer(db, "SELECT max(Z_PK) FROM ATRANSACTION");
    store->next_change = 1 + hw_integer(db, "SELECT max(Z_PK) FROM ACHANGE");
    sqlite3_stmt *statement =
        hw_prepare(db, "INSERT INTO ATRANSACTION (Z_PK,Z_ENT,ZTIMESTAMP) VALUES (?,16002,700000000.5)");
    sqlite3_bind_int64(statement, 1, store->transaction_key);
    hw_done(statement);
    sqlite3_finalize(statement);
    store->change = hw_prepare(
        db, "INSERT INTO ACHANGE (Z_PK,Z_ENT,ZCHANGETYPE,ZENTITY,ZENTITYPK,ZTRANSACTIONID,ZCOLUMNS) "
            "VALUES (?,16001,?,?,?,?,?)");
    sqlite3_bind_int64(store->change, 5, store->transaction_key);
}

void hw_history_add(hw_store *store, int kind, int64_t entity, int64_t key) {
    if (!store->change) return;
    sqlite3_bind_int64(store->change, 1, store->next_change++);
    sqlite3_bind_int64(store->change, 2, kind);
    sqlite3_bind_int64(store->change, 3, entity);
    sqlite3_bind_int64(store->change, 4, key);
    if (kind == HW_UPDATED) sqlite3_bind_blob(store->change, 6, "\x40", 1, SQLITE_STATIC);
    hw_done(store->change);
}

void hw_history_end(hw_store *store) {
    if (!store->change) return;
    sqlite3_finalize(store->change);
    store->change = 0;
    hw_exec(store->db, "INSERT OR IGNORE INTO Z_PRIMARYKEY VALUES (16001,'CHANGE',0,0),(16002,'TRANSACTION',0,0)");
    hw_raise_key(store->db, CHANGE, store->next_change - 1);
    hw_raise_key(store->db, TRANSACTION, store->transaction_key);
}
