package org.ulfmj.transport.tcp;

/**
 * One fault of the links of a rank, for tests.
 *
 * @param rule the number of the rule of faults that it comes from; 0 for a fault whose happening is not reported
 * @param kind what happens
 * @param ends of the links that it happens to
 * @param beginNs when it begins, in nanoseconds after the time at which the faults of the rank were put in force
 * @param endNs when it ends, counted likewise; {@link Long#MAX_VALUE} for never
 * @param terms how strong it is
 */
public record LinkFault(int rule, Kind kind, LinkEnds ends, long beginNs, long endNs, LinkTerms terms) {
    /** What happens to a link. */
    public enum Kind {
        /** The connections of the link are reset, by the rank with the lower slot. */
        RESET,
        /**
         * What is sent in the direction that the fault hits does not arrive. A connection that the fault has hit does
         * not recover after it.
         */
        BLACKHOLE,
        /** A frame does not arrive. */
        DROP,
        /** Bytes arrive later. */
        DELAY,
        /** A frame arrives twice. */
        DUP,
        /** A frame is handled after the frame that was sent behind it. */
        REORDER,
        /** Bytes arrive no faster than at the rate of the {@link LinkTerms}. */
        THROTTLE,
        /** A bit of what is sent arrives wrong. */
        CORRUPT,
        /** New connections are refused. */
        REFUSE
    }

    /**
     * A fault by which nothing that is sent in the directions of {@code ends} arrives between two times. It comes from
     * no rule, and is not reported.
     */
    public static LinkFault cut(LinkEnds ends, long beginNs, long endNs) {
        return new LinkFault(0, Kind.BLACKHOLE, ends, beginNs, endNs, LinkTerms.NONE);
    }

    /**
     * Resets of the links to all ranks with higher slots: the first after {@code afterNs}, and then one every
     * {@code everyNs}, or no other if that is 0.
     */
    public static LinkFault resets(long afterNs, long everyNs) {
        return new LinkFault(0, Kind.RESET, SlotEnds.ALL, afterNs, Long.MAX_VALUE, LinkTerms.lasting(everyNs));
    }

    /** Nothing arrives on any link of the rank, at either end, for this duration. */
    public static LinkFault hole(long afterNs, long durationNs) {
        return cut(SlotEnds.ALL, afterNs, afterNs + durationNs);
    }

    /** Whether this is a fault of links between slots, and hits what {@code sender} sends to {@code receiver}. */
    boolean hits(int sender, int receiver) {
        return ends instanceof SlotEnds slots && slots.hits(sender, receiver);
    }
}
