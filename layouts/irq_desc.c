/*
 * Case 3, second half: irq_desc[], one descriptor for each interrupt, Linux 2.2.5 (April 1999).
 *
 * BEFORE, 16 bytes (on 32-bit) divide every line, so nothing lies across two; but neighbours share a line,
 * and different processors write them when different interrupts arrive. AFTER adds four unused words: 32
 * bytes, right for lines of 32 (on 64-bit it would be 48 bytes, and those lie across lines).
 */
#define BEFORE 0
#define AFTER 1
#ifndef VARIANT
#define VARIANT BEFORE
#endif
#ifndef LINE
#define LINE 32
#endif

#include "case.h"

struct hw_interrupt_type;
struct irqaction;

#define NR_IRQS 224

typedef struct irq_desc {
	unsigned int status;
	struct hw_interrupt_type *handler;
	struct irqaction *action;
	unsigned int depth;
#if VARIANT == AFTER
	unsigned int unused[4];
#endif
} irq_desc_t;

irq_desc_t irq_desc[NR_IRQS] __attribute__((aligned(LINE)));

#if VARIANT == BEFORE
IS(sizeof(irq_desc_t), BY_BITS(16, 32));
#else
IS(sizeof(irq_desc_t), BY_BITS(32, 48));
#endif
