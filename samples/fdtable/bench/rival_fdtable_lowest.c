/* Ours with the lowest number first, as POSIX has it. */
#define RIVAL            rival_fdtable_lowest
#define RIVAL_NAME       "fdtable-lowest"
#define RIVAL_ANY_NUMBER false
#define RIVAL_REUSABLE   1
#include "rival_fdtable.h"
