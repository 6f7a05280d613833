/* Ours with numbers in any order, memory that is freed after a grace period, as the hash tables' is. */
#define RIVAL            rival_fdtable_grace
#define RIVAL_NAME       "fdtable-grace"
#define RIVAL_ANY_NUMBER true
#define RIVAL_REUSABLE   0
#include "rival_fdtable.h"
