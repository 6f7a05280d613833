/*
 * patch: struct cell
 * writes: hits
 * reads: key value
 *
 * A whole struct on one line.
 */
struct cell { unsigned long hits; void *key, *value; char pad[40]; char more[64]; };
struct cell cells[4];
