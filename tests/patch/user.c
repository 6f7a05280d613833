/*
 * patch: struct counter_table
 * writes: inserted
 * reads: mask entries hash compare
 *
 * User style: spaces, several declarators on a line, function pointers, a nested definition, a bit-field run.
 */
#include <stddef.h>
#include <stdint.h>

struct counter_table
{
    size_t mask, used, inserted;   /* sizes */
    void **entries;
    uint32_t (*hash)(const void *key, size_t length);
    int (*compare)(const void *left,
                   const void *right);

    /* what was asked for last */
    struct last {
        char key[16];
        uint64_t when;
    } last;

    unsigned int is_ready : 1,
                 is_full  : 1;
    unsigned int grows    : 1;
    enum { COLD, WARM, HOT } temperature;
    char name[32];
};

struct counter_table the_table;
