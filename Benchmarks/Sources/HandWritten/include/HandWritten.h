// The work of the benchmarks over the SQLite C API alone: the limit that the library is compared with.
// A failure ends the process with a message: a benchmark that went wrong has no result.
#ifndef HAND_WRITTEN_H
#define HAND_WRITTEN_H

#include <stdint.h>

// The values of animal number i (1...n) of a store with n animals.
typedef struct {
    int64_t key, category, age;
    double weight, born;
    const char *diet;
    char name[32];
} hw_animal;

void hw_animal_values(hw_animal *animal, int64_t i, int64_t n);
int64_t hw_category_count(int64_t n);
// The category name below which half (or another share) of the categories lie.
void hw_threshold(char *text, int64_t size, int64_t category_count, int64_t below);
// A number of a counter-based generator: the same for the same stream and index.
uint64_t hw_random(uint64_t stream, uint64_t index);

// Which rows a store is filled with.
typedef enum { HW_CATEGORIES, HW_ANIMALS, HW_GRAPH } hw_content;
// Fills a store that the library has just made. HW_GRAPH brings two visits and one tag for each animal.
void hw_fill(const char *path, int64_t n, hw_content content);

// Gives a store the metadata of another one, whose model then fits it. Without history, the library keeps none.
typedef enum { HW_WITHOUT_HISTORY, HW_WITH_HISTORY } hw_history;
void hw_adopt(const char *path, const char *model_store, hw_history history);
// The store has no history from then on; the library keeps none.
void hw_forget_history(const char *path);

// Counts and sums over a store, to compare what two programs did to it. Tables that are missing count as empty.
// Aged animals are those of 50 and more.
typedef struct {
    int64_t categories, category_keys, animals, animal_keys, visits, visit_keys, join_rows;
    int64_t linked_animals, linked_animal_keys, aged_animal_keys, version_sum, age_sum;
    double weight_sum;
} hw_digest;
hw_digest hw_digest_of(const char *path);

typedef struct hw_store hw_store;
hw_store *hw_open(const char *path);
void hw_close(hw_store *store);

// What a piece of work returns: rows and a checksum over the values read, for comparison.
typedef struct {
    int64_t rows;
    double checksum;
} hw_result;

typedef enum {
    HW_INSERT,         // n animals, each with a category
    HW_FETCH,          // every animal as an object, six values read
    HW_BY_IDENTIFIER,  // 1,000 random animals, one statement run each
    HW_FILTERED,       // carnivores of 50 years and more, heaviest first
    HW_UPDATE,         // animals of 50 and more fetched, then updated one by one
    HW_UPDATE_SET,     // the same by a single statement
    HW_DELETE,         // animals of 50 and more fetched, then deleted one by one
    HW_DELETE_GRAPH    // half of the categories: objects fetched level by level, then deleted one by one
} hw_work;

// Does the work, and writes history as Apple's stores have it if asked. `animals` is read by HW_INSERT only.
hw_result hw_run(hw_store *store, hw_work work, int64_t n, const hw_animal *animals, hw_history history);
// Frees the objects that the work made.
void hw_let_go(void);
// Gives free pages back to the system, so that what ran before in this process leaves nothing warm.
void hw_release_free_pages(void);
// The memory that the process has allocated and not freed; 0 if the system does not provide it.
int64_t hw_allocated_bytes(void);

#endif
