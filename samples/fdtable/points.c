#include "points.h"

#ifdef FDTABLE_POINTS
void (*_Atomic fdtable_at_point)(enum fdtable_point point);
#endif
