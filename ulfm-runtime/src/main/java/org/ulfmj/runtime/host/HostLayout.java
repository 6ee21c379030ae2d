package org.ulfmj.runtime.host;

/**
 * The layout of one rank's segment of shared memory for blocking collectives. Only that rank writes into it.
 *
 * <pre>
 *      0  not zero while the rank sleeps in a wait of this group
 *    128  32 slots of 128 bytes, for the last 32 operations; number n uses slot n mod 32
 *           0  flag: number of the operation, stored last, with release
 *           8  the call that the rank is in (HostCall)
 *          16  where the rank's bytes begin: right behind, …
 *          24  … if there are at most 104, else in the ring; 0 if they are in a stage
 *          24  of a described operation: its description; then at most 96 bytes lie behind
 *   4224  ring: bytes of operations of up to 64 KiB, a new part each time
 *         two stages, in turn: what the rank contributes to a piece of a long reduction
 *         two places for results, in turn: its own part of the result of a piece
 * </pre>
 *
 * A slot and its short data share cache lines: an operation of 8 bytes moves one line from each rank to each other. The
 * description of an operation lies in that line too: a rank that looks at the flag has it already.
 */
final class HostLayout {
    static final int SLEEP_AT = 0;
    static final int SLOTS = 32;

    static final int FLAG = 0;
    static final int CALL = 8;
    static final int PLACE = 16;
    static final int INLINE = 24;
    static final int INLINE_BYTES = 104;
    /** Where in a slot the description lies, in an operation that has one. */
    static final int DESCRIPTION = 24;

    static final int DESCRIBED_INLINE = DESCRIPTION + Long.BYTES;
    static final int DESCRIBED_INLINE_BYTES = INLINE + INLINE_BYTES - DESCRIBED_INLINE;

    /**
     * Data that does not fit into a slot begins at a multiple of this many bytes: no two operations share a cache line.
     */
    static final int ALIGNMENT = 128;

    private static final int SLOTS_AT = 128;
    private static final int SLOT_BYTES = INLINE + INLINE_BYTES;
    private static final int RING_AT = SLOTS_AT + SLOTS * SLOT_BYTES;
    private static final int LONGEST_RING_DATA = 64 * 1024;
    private static final int LONGEST_RING = 1 << 20;
    private static final int LONGEST_STAGE = 1 << 20;
    /**
     * One operation takes at most the length of the ring, divided by this number. Then the data of three operations
     * fits, even with what is lost at the ring's end.
     */
    private static final int RING_PARTS = 4;
    /** For the data of how many operations at a time a ring should have room, so as not to count as too small. */
    private static final int AMPLE_OPERATIONS = 15;

    /** The shortest segment that is of use. */
    public static final int LEAST_BYTES = 12 * 1024;

    final int ringAt = RING_AT;
    final int ringBytes;
    /** The most bytes of one operation for which the ring has room for {@link #AMPLE_OPERATIONS} operations. */
    final int ampleBytes;

    private final int stagesAt;
    final int stageBytes;
    private final int resultsAt;
    private final int resultBytes;

    HostLayout(int segmentBytes) {
        if (segmentBytes < LEAST_BYTES) {
            throw new IllegalArgumentException("a segment of " + segmentBytes + " bytes, at least " + LEAST_BYTES);
        }
        this.ringBytes = Math.min(LONGEST_RING, (segmentBytes - RING_AT) / 2) & -ALIGNMENT;
        this.ampleBytes = ringBytes / AMPLE_OPERATIONS;
        this.stagesAt = RING_AT + ringBytes;
        int rest = segmentBytes - stagesAt;
        // There are at least two ranks, so each has at most half of the result, rounded up to an element.
        this.stageBytes = Math.min(LONGEST_STAGE, (rest - 4 * ALIGNMENT) / 3 & -ALIGNMENT);
        this.resultBytes = stageBytes / 2 + ALIGNMENT & -ALIGNMENT;
        this.resultsAt = stagesAt + 2 * stageBytes;
    }

    /**
     * Returns where in a rank's segment its contribution to a piece of a long reduction lies: apart from that to the
     * piece before.
     */
    int stageAt(int piece) {
        return stagesAt + (piece & 1) * stageBytes;
    }

    /** Returns where in a rank's segment its part of the result of a piece lies. */
    int resultsAt(int piece) {
        return resultsAt + (piece & 1) * resultBytes;
    }

    /** The most bytes that one operation may put into the ring. */
    int longestRingData() {
        return Math.min(LONGEST_RING_DATA, ringBytes / RING_PARTS - ALIGNMENT);
    }

    static int slotAt(long number) {
        return SLOTS_AT + ((int) number & SLOTS - 1) * SLOT_BYTES;
    }
}
