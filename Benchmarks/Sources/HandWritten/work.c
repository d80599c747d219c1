// The pieces of work themselves: prepared statements, one transaction, every object in memory of its own.
#include "internal.h"

#define COLUMNS "Z_PK,ZAGE,ZCATEGORY,ZBORN,ZWEIGHT,ZDIET,ZNAME,Z_OPT"

typedef struct {
    int64_t key, age, category, version;
    double born, weight;
    char *diet, *name;
} object;

typedef struct {
    object **items;
    size_t count, capacity;
} objects;

static char *copied(sqlite3_stmt *s, int column) {
    const char *text = (const char *)sqlite3_column_text(s, column);
    size_t size = (size_t)sqlite3_column_bytes(s, column);
    char *copy = malloc(size + 1);
    if (!copy) hw_fail(0, "copy");
    memcpy(copy, text ? text : "", size + (text != 0));
    copy[size] = 0;
    return copy;
}

static object *made(sqlite3_stmt *s) {
    object *o = malloc(sizeof *o);
    if (!o) hw_fail(0, "object");
    o->key = sqlite3_column_int64(s, 0);
    o->age = sqlite3_column_int64(s, 1);
    o->category = sqlite3_column_int64(s, 2);
    o->born = sqlite3_column_double(s, 3);
    o->weight = sqlite3_column_double(s, 4);
    o->diet = copied(s, 5);
    o->name = copied(s, 6);
    o->version = sqlite3_column_int64(s, 7);
    return o;
}

static object *made_visit(sqlite3_stmt *s) {
    object *o = calloc(1, sizeof *o);
    if (!o) hw_fail(0, "visit");
    o->key = sqlite3_column_int64(s, 0);
    o->version = sqlite3_column_int64(s, 1);
    o->born = sqlite3_column_double(s, 2);
    o->name = copied(s, 3);
    return o;
}

static void append(objects *list, object *item) {
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? list->capacity * 2 : 1024;
        list->items = realloc(list->items, list->capacity * sizeof *list->items);
        if (!list->items) hw_fail(0, "list");
    }
    list->items[list->count++] = item;
}

static void collect(sqlite3_stmt *s, objects *list) {
    while (sqlite3_step(s) == SQLITE_ROW) append(list, made(s));
    sqlite3_reset(s);
}

static void fetch(hw_store *store, const char *condition, objects *list) {
    char sql[512];
    snprintf(sql, sizeof sql, "SELECT " COLUMNS " FROM ZANIMAL %s", condition);
    sqlite3_stmt *s = hw_prepare(store->db, sql);
    collect(s, list);
    sqlite3_finalize(s);
}

static hw_result read_all(const objects *list) {
    hw_result result = {(int64_t)list->count, 0};
    for (size_t i = 0; i < list->count; i++) {
        const object *o = list->items[i];
        result.checksum += (double)o->age + o->weight + o->born + (double)strlen(o->diet) + (double)strlen(o->name)
                           + (o->category ? 1 : 0);
    }
    return result;
}

// Objects are held until hw_let_go, which is called after the clock has stopped: the library's are too.
static objects kept, kept_visits;

static void let_go(objects *list) {
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i]->diet);
        free(list->items[i]->name);
        free(list->items[i]);
    }
    free(list->items);
    memset(list, 0, sizeof *list);
}

void hw_let_go(void) {
    let_go(&kept);
    let_go(&kept_visits);
}

static void begin(hw_store *store, hw_history history) {
    hw_exec(store->db, "BEGIN IMMEDIATE");
    if (history == HW_WITH_HISTORY) hw_history_begin(store);
}

static void commit(hw_store *store) {
    hw_history_end(store);
    hw_exec(store->db, "COMMIT");
}

static hw_result insert(hw_store *store, int64_t n, const hw_animal *animals, hw_history history) {
    begin(store, history);
    int64_t highest = hw_integer(store->db, "SELECT max(Z_MAX) FROM Z_PRIMARYKEY WHERE Z_NAME='Animal'");
    sqlite3_stmt *s = hw_prepare(
        store->db, "INSERT INTO ZANIMAL (Z_PK,Z_ENT,Z_OPT,ZAGE,ZCATEGORY,ZBORN,ZWEIGHT,ZDIET,ZNAME) "
                   "VALUES (?,?,1,?,?,?,?,?,?)");
    sqlite3_bind_int64(s, 2, store->animal);
    for (int64_t i = 0; i < n; i++) {
        const hw_animal *a = &animals[i];
        sqlite3_bind_int64(s, 1, highest + 1 + i);
        sqlite3_bind_int64(s, 3, a->age);
        sqlite3_bind_int64(s, 4, a->category);
        sqlite3_bind_double(s, 5, a->born);
        sqlite3_bind_double(s, 6, a->weight);
        sqlite3_bind_text(s, 7, a->diet, -1, SQLITE_STATIC);
        sqlite3_bind_text(s, 8, a->name, -1, SQLITE_STATIC);
        hw_done(s);
        hw_history_add(store, HW_INSERTED, store->animal, highest + 1 + i);
    }
    sqlite3_finalize(s);
    hw_raise_key(store->db, store->animal, highest + n);
    commit(store);
    return (hw_result){n, 0};
}

static hw_result by_identifier(hw_store *store, int64_t n) {
    sqlite3_stmt *s = hw_prepare(store->db, "SELECT " COLUMNS " FROM ZANIMAL WHERE Z_PK=?");
    for (uint64_t i = 0; i < 1000; i++) {
        sqlite3_bind_int64(s, 1, 1 + (int64_t)(hw_random(9, i) % (uint64_t)n));
        collect(s, &kept);
    }
    sqlite3_finalize(s);
    return read_all(&kept);
}

static void expect_one(hw_store *store) {
    if (sqlite3_changes(store->db) != 1) hw_fail(store->db, "row changed by someone else");
}

static hw_result update(hw_store *store, hw_history history) {
    fetch(store, "WHERE ZAGE>=50", &kept);
    begin(store, history);
    sqlite3_stmt *s = hw_prepare(store->db, "UPDATE ZANIMAL SET ZWEIGHT=?, Z_OPT=Z_OPT+1 WHERE Z_PK=? AND Z_OPT=?");
    for (size_t i = 0; i < kept.count; i++) {
        object *o = kept.items[i];
        o->weight += 1;
        sqlite3_bind_double(s, 1, o->weight);
        sqlite3_bind_int64(s, 2, o->key);
        sqlite3_bind_int64(s, 3, o->version);
        hw_done(s);
        expect_one(store);
        hw_history_add(store, HW_UPDATED, store->animal, o->key);
    }
    sqlite3_finalize(s);
    commit(store);
    return (hw_result){(int64_t)kept.count, 0};
}

static hw_result update_set(hw_store *store) {
    begin(store, HW_WITHOUT_HISTORY);
    hw_exec(store->db, "UPDATE ZANIMAL SET ZWEIGHT=ZWEIGHT+1.0, Z_OPT=Z_OPT+1 WHERE ZAGE>=50");
    hw_result result = {sqlite3_changes(store->db), 0};
    commit(store);
    return result;
}

static void delete_row(hw_store *store, sqlite3_stmt *s, int64_t entity, int64_t key, int64_t version) {
    hw_history_add(store, HW_DELETED, entity, key);
    sqlite3_bind_int64(s, 1, key);
    sqlite3_bind_int64(s, 2, version);
    hw_done(s);
    expect_one(store);
}

static void delete_animals(hw_store *store) {
    sqlite3_stmt *s = hw_prepare(store->db, "DELETE FROM ZANIMAL WHERE Z_PK=? AND Z_OPT=?");
    for (size_t i = 0; i < kept.count; i++)
        delete_row(store, s, store->animal, kept.items[i]->key, kept.items[i]->version);
    sqlite3_finalize(s);
}

static hw_result delete_half(hw_store *store, hw_history history) {
    fetch(store, "WHERE ZAGE>=50", &kept);
    begin(store, history);
    delete_animals(store);
    commit(store);
    return (hw_result){(int64_t)kept.count, 0};
}

// Pairs of numbers: keys with versions, or join rows.
typedef struct {
    int64_t (*items)[2];
    size_t count, capacity;
} pairs;

static void collect_pairs(sqlite3_stmt *s, pairs *list) {
    while (sqlite3_step(s) == SQLITE_ROW) {
        if (list->count == list->capacity) {
            list->capacity = list->capacity ? list->capacity * 2 : 1024;
            list->items = realloc(list->items, list->capacity * sizeof *list->items);
            if (!list->items) hw_fail(0, "pairs");
        }
        list->items[list->count][0] = sqlite3_column_int64(s, 0);
        list->items[list->count][1] = sqlite3_column_int64(s, 1);
        list->count++;
    }
    sqlite3_reset(s);
}

static hw_result delete_graph(hw_store *store, int64_t n, hw_history history) {
    pairs categories = {0}, joins = {0};
    char threshold[32], sql[256];
    int64_t count = hw_category_count(n);
    hw_threshold(threshold, sizeof threshold, count, count / 2);
    sqlite3_stmt *s = hw_prepare(store->db, "SELECT Z_PK,Z_OPT FROM ZANIMALCATEGORY WHERE ZNAME<?");
    sqlite3_bind_text(s, 1, threshold, -1, SQLITE_STATIC);
    collect_pairs(s, &categories);
    sqlite3_finalize(s);
    s = hw_prepare(store->db, "SELECT " COLUMNS " FROM ZANIMAL WHERE ZCATEGORY=?");
    for (size_t i = 0; i < categories.count; i++) {
        sqlite3_bind_int64(s, 1, categories.items[i][0]);
        collect(s, &kept);
    }
    sqlite3_finalize(s);
    s = hw_prepare(store->db, "SELECT Z_PK,Z_OPT,ZWHEN,ZNOTE FROM ZVISIT WHERE ZANIMAL=?");
    snprintf(sql, sizeof sql, "SELECT %s,%s FROM %s WHERE %s=?", store->join_animal, store->join_tag,
             store->join_table, store->join_animal);
    sqlite3_stmt *t = hw_prepare(store->db, sql);
    for (size_t i = 0; i < kept.count; i++) {
        sqlite3_bind_int64(s, 1, kept.items[i]->key);
        while (sqlite3_step(s) == SQLITE_ROW) append(&kept_visits, made_visit(s));
        sqlite3_reset(s);
        sqlite3_bind_int64(t, 1, kept.items[i]->key);
        collect_pairs(t, &joins);
    }
    sqlite3_finalize(s);
    sqlite3_finalize(t);

    begin(store, history);
    s = hw_prepare(store->db, "DELETE FROM ZVISIT WHERE Z_PK=? AND Z_OPT=?");
    for (size_t i = 0; i < kept_visits.count; i++)
        delete_row(store, s, store->visit, kept_visits.items[i]->key, kept_visits.items[i]->version);
    sqlite3_finalize(s);
    snprintf(sql, sizeof sql, "DELETE FROM %s WHERE %s=? AND %s=?", store->join_table, store->join_animal,
             store->join_tag);
    s = hw_prepare(store->db, sql);
    for (size_t i = 0; i < joins.count; i++) {
        sqlite3_bind_int64(s, 1, joins.items[i][0]);
        sqlite3_bind_int64(s, 2, joins.items[i][1]);
        hw_done(s);
    }
    sqlite3_finalize(s);
    delete_animals(store);
    s = hw_prepare(store->db, "DELETE FROM ZANIMALCATEGORY WHERE Z_PK=? AND Z_OPT=?");
    for (size_t i = 0; i < categories.count; i++)
        delete_row(store, s, store->category, categories.items[i][0], categories.items[i][1]);
    sqlite3_finalize(s);
    commit(store);
    hw_result result = {(int64_t)(categories.count + kept.count), 0};
    free(categories.items);
    free(joins.items);
    return result;
}

static hw_result fetch_and_read(hw_store *store, const char *condition) {
    fetch(store, condition, &kept);
    return read_all(&kept);
}

hw_result hw_run(hw_store *store, hw_work work, int64_t n, const hw_animal *animals, hw_history history) {
    switch (work) {
    case HW_INSERT: return insert(store, n, animals, history);
    case HW_FETCH: return fetch_and_read(store, "");
    case HW_BY_IDENTIFIER: return by_identifier(store, n);
    case HW_FILTERED:
        return fetch_and_read(store, "WHERE ZAGE>=50 AND ZDIET='carnivore' ORDER BY ZWEIGHT DESC, ZBORN");
    case HW_UPDATE: return update(store, history);
    case HW_UPDATE_SET: return update_set(store);
    case HW_DELETE: return delete_half(store, history);
    case HW_DELETE_GRAPH: return delete_graph(store, n, history);
    }
    hw_fail(0, "unknown work");
}
