/* Ours with numbers in any order, memory that becomes the next file at once. */
#define RIVAL            rival_fdtable
#define RIVAL_NAME       "fdtable"
#define RIVAL_ANY_NUMBER true
#define RIVAL_REUSABLE   1
#include "rival_fdtable.h"
