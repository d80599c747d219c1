// The content of the stores: the same values for the same number of animals, always.
#include "internal.h"

static const char *const DIETS[4] = {"herbivore", "carnivore", "omnivore", "insectivore"};
static const char *const SYLLABLES[16] = {"ka", "lo", "mi", "ru", "te", "sa", "no", "vi",
                                          "be", "du", "fa", "gi", "ho", "ja", "pe", "zu"};
enum { TAGS = 100 };

// The finaliser of splitmix64 over a counter.
uint64_t hw_random(uint64_t stream, uint64_t index) {
    uint64_t z = 0x5EEDC0DEULL + stream * 0xD1342543DE82EF95ULL + (index + 1) * 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

int64_t hw_category_count(int64_t n) { return n < 1000 ? 1 : n / 1000; }

void hw_threshold(char *text, int64_t size, int64_t category_count, int64_t below) {
    snprintf(text, (size_t)size, "Category %06lld", (long long)(below < category_count ? below : category_count));
}

void hw_animal_values(hw_animal *animal, int64_t i, int64_t n) {
    uint64_t r = hw_random(1, (uint64_t)i), q = hw_random(3, (uint64_t)i);
    animal->key = i;
    animal->category = 1 + (int64_t)(hw_random(2, (uint64_t)i) % (uint64_t)hw_category_count(n));
    animal->age = (int64_t)(r % 100);
    animal->weight = (double)((r >> 8) % 100000) / 100.0;
    animal->born = 400000000.0 + (double)((r >> 25) % 400000000ULL) + 0.5;
    animal->diet = DIETS[(r >> 56) & 3];
    snprintf(animal->name, sizeof animal->name, "%s%s%s%s %06lld", SYLLABLES[q & 15], SYLLABLES[(q >> 4) & 15],
             SYLLABLES[(q >> 8) & 15], SYLLABLES[(q >> 12) & 15], (long long)(i % 1000000));
}

static void fill_categories(hw_store *store, int64_t count) {
    sqlite3_stmt *s = hw_prepare(store->db, "INSERT INTO ZANIMALCATEGORY (Z_PK,Z_ENT,Z_OPT,ZNAME) VALUES (?,?,1,?)");
    for (int64_t i = 1; i <= count; i++) {
        char name[32];
        // Names in another order than keys, as in a grown store.
        hw_threshold(name, sizeof name, count, (i * 7919 + 12345) % count);
        sqlite3_bind_int64(s, 1, i);
        sqlite3_bind_int64(s, 2, store->category);
        sqlite3_bind_text(s, 3, name, -1, SQLITE_TRANSIENT);
        hw_done(s);
    }
    sqlite3_finalize(s);
    hw_raise_key(store->db, store->category, count);
}

static void fill_animals(hw_store *store, int64_t n) {
    sqlite3_stmt *s = hw_prepare(
        store->db, "INSERT INTO ZANIMAL (Z_PK,Z_ENT,Z_OPT,ZAGE,ZCATEGORY,ZBORN,ZWEIGHT,ZDIET,ZNAME) "
                   "VALUES (?,?,1,?,?,?,?,?,?)");
    for (int64_t i = 1; i <= n; i++) {
        hw_animal a;
        hw_animal_values(&a, i, n);
        sqlite3_bind_int64(s, 1, a.key);
        sqlite3_bind_int64(s, 2, store->animal);
        sqlite3_bind_int64(s, 3, a.age);
        sqlite3_bind_int64(s, 4, a.category);
        sqlite3_bind_double(s, 5, a.born);
        sqlite3_bind_double(s, 6, a.weight);
        sqlite3_bind_text(s, 7, a.diet, -1, SQLITE_STATIC);
        sqlite3_bind_text(s, 8, a.name, -1, SQLITE_STATIC);
        hw_done(s);
    }
    sqlite3_finalize(s);
    hw_raise_key(store->db, store->animal, n);
}

// Visits lie scattered: those of one animal are not neighbours.
static void fill_visits(hw_store *store, int64_t n) {
    sqlite3_stmt *s = hw_prepare(
        store->db, "INSERT INTO ZVISIT (Z_PK,Z_ENT,Z_OPT,ZANIMAL,ZWHEN,ZNOTE) VALUES (?,?,1,?,?,?)");
    for (int64_t i = 1; i <= 2 * n; i++) {
        uint64_t r = hw_random(4, (uint64_t)i);
        char note[64];
        snprintf(note, sizeof note, "visit %08lld %s %s", (long long)i, SYLLABLES[r & 15], DIETS[(r >> 8) & 3]);
        sqlite3_bind_int64(s, 1, i);
        sqlite3_bind_int64(s, 2, store->visit);
        sqlite3_bind_int64(s, 3, 1 + (i * 7919 + 12345) % n);
        sqlite3_bind_double(s, 4, 500000000.0 + (double)(r >> 36));
        sqlite3_bind_text(s, 5, note, -1, SQLITE_STATIC);
        hw_done(s);
    }
    sqlite3_finalize(s);
    hw_raise_key(store->db, store->visit, 2 * n);
}

static void fill_tags(hw_store *store, int64_t n) {
    sqlite3_stmt *s = hw_prepare(store->db, "INSERT INTO ZTAG (Z_PK,Z_ENT,Z_OPT,ZNAME) VALUES (?,?,1,?)");
    for (int64_t i = 1; i <= TAGS; i++) {
        char name[32];
        snprintf(name, sizeof name, "tag %03lld", (long long)i);
        sqlite3_bind_int64(s, 1, i);
        sqlite3_bind_int64(s, 2, store->tag);
        sqlite3_bind_text(s, 3, name, -1, SQLITE_TRANSIENT);
        hw_done(s);
    }
    sqlite3_finalize(s);
    hw_raise_key(store->db, store->tag, TAGS);
    char sql[256];
    snprintf(sql, sizeof sql, "INSERT INTO %s (%s,%s) VALUES (?,?)", store->join_table, store->join_animal,
             store->join_tag);
    s = hw_prepare(store->db, sql);
    for (int64_t i = 1; i <= n; i++) {
        sqlite3_bind_int64(s, 1, i);
        sqlite3_bind_int64(s, 2, 1 + (int64_t)(hw_random(5, (uint64_t)i) % TAGS));
        hw_done(s);
    }
    sqlite3_finalize(s);
}

void hw_fill(const char *path, int64_t n, hw_content content) {
    hw_store *store = hw_open(path);
    hw_exec(store->db, "PRAGMA synchronous=OFF; BEGIN IMMEDIATE");
    fill_categories(store, hw_category_count(n));
    if (content != HW_CATEGORIES) fill_animals(store, n);
    if (content == HW_GRAPH) {
        fill_visits(store, n);
        fill_tags(store, n);
    }
    hw_exec(store->db, "COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
    hw_close(store);
}
