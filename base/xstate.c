#include "base/xstate.h"

#include <cpuid.h>
#include <string.h>

/* Components by their number in XCR0 and XSTATE_BV. */
enum { X87, SSE, AVX, MASKS = 5, ZMM_UPPER, ZMM_HIGH };

enum {
	FXSAVE_SIZE = 512,
	XCR0_AT = 464,      /* where Linux notes which components the area has room for */
	XSTATE_BV_AT = 512, /* which of them are in use */
	EXTENDED_AT = 576,  /* behind the header */
};

struct xs_xsave_layout xs_xsave_layout_here(void)
{
	/* Asked once: in a virtual machine cpuid takes longer than fetching the registers. */
	static struct xs_xsave_layout layout;
	static bool known;
	unsigned size, offset, c, d;
	for (unsigned i = AVX; !known && i <= ZMM_HIGH; i++)
		if (__get_cpuid_count(0xd, i, &size, &offset, &c, &d) && size)
			layout.offset[i] = offset;
	known = true;
	return layout;
}

struct xs_xsave_layout xs_xsave_layout_of_size(size_t size)
{
	/* Intel's has room for the bound registers of MPX between ymm and AVX-512. */
	if (size >= 2688)
		return (struct xs_xsave_layout){{[AVX] = 576, [MASKS] = 1088, 1152, 1664}};
	if (size >= 2432)
		return (struct xs_xsave_layout){{[AVX] = 576, [MASKS] = 832, 896, 1408}};
	return (struct xs_xsave_layout){{[AVX] = 576}};
}

/* The `size` bytes of a component; NULL if the area does not have them. */
static const uint8_t *component(const uint8_t *area, size_t area_size, uint32_t offset, size_t size)
{
	return offset >= EXTENDED_AT && offset <= area_size && size <= area_size - offset
		       ? area + offset
		       : NULL;
}

static void decode_x87(struct xs_xstate *xstate, const uint8_t *area)
{
	memcpy(&xstate->fctrl, area, 2);
	memcpy(&xstate->fstat, area + 2, 2);
	xstate->ftag = area[4];
	memcpy(&xstate->fop, area + 6, 2);
	memcpy(&xstate->fip, area + 8, 8);
	memcpy(&xstate->fdp, area + 16, 8);
	for (size_t i = 0; i < 8; i++)
		memcpy(xstate->st[i], area + 32 + 16 * i, sizeof xstate->st[i]);
}

bool xs_xstate_decode(struct xs_xstate *xstate, const void *bytes, size_t size,
	const struct xs_xsave_layout *layout)
{
	const uint8_t *area = bytes, *part;
	uint64_t room = 1 << X87 | 1 << SSE, used = room;
	*xstate = (struct xs_xstate){.fctrl = 0x37f, .mxcsr = 0x1f80, .vectors = 16};
	if (size < FXSAVE_SIZE)
		return false;
	if (size >= EXTENDED_AT) {
		memcpy(&room, area + XCR0_AT, sizeof room);
		memcpy(&used, area + XSTATE_BV_AT, sizeof used);
	}
	if (used & 1 << X87)
		decode_x87(xstate, area);
	/* MXCSR is shared: it is valid if either component is. */
	if (used & (1 << SSE | 1 << AVX))
		memcpy(&xstate->mxcsr, area + 24, 4);
	xstate->vector_size = room & 1 << ZMM_UPPER ? 64 : room & 1 << AVX ? 32 : 16;
	for (size_t i = 0; used & 1 << SSE && i < 16; i++)
		memcpy(xstate->vector[i], area + 160 + 16 * i, 16);
	part = component(area, size, layout->offset[AVX], 16 * 16);
	for (size_t i = 0; used & 1 << AVX && part && i < 16; i++)
		memcpy(xstate->vector[i] + 16, part + 16 * i, 16);
	part = component(area, size, layout->offset[ZMM_UPPER], 16 * 32);
	for (size_t i = 0; used & 1 << ZMM_UPPER && part && i < 16; i++)
		memcpy(xstate->vector[i] + 32, part + 32 * i, 32);
	part = component(area, size, layout->offset[ZMM_HIGH], 16 * 64);
	if (room & 1 << ZMM_HIGH)
		xstate->vectors = 32;
	if (used & 1 << ZMM_HIGH && part)
		memcpy(xstate->vector[16], part, 16 * 64);
	part = component(area, size, layout->offset[MASKS], sizeof xstate->mask);
	if (used & 1 << MASKS && part)
		memcpy(xstate->mask, part, sizeof xstate->mask);
	return true;
}
