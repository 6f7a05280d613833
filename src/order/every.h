/*
 * order/every: every order of a few units. Private to order/.
 */
#ifndef ORDER_EVERY_H
#define ORDER_EVERY_H

struct search;

/* Tries and offers them all; sets is_exact. */
void every_try(struct search *search);

#endif
