package org.ulfmj.transport.tcp;

/**
 * One fault of the links of a rank.
 *
 * @param rule number of the rule that it comes from; 0 if none is told of it
 * @param kind what happens
 * @param ends of the links that it happens to
 * @param beginNs after the links know their peers
 * @param endNs likewise; {@link Long#MAX_VALUE} for never
 * @param terms how strong it is
 */
public record LinkFault(int rule, Kind kind, LinkEnds ends, long beginNs, long endNs, LinkTerms terms) {
    /** What happens to a link. */
    public enum Kind {
        /** Its connections are reset, by the lower slot. */
        RESET,
        /** Nothing arrives; connections of that time are never heard of again. */
        BLACKHOLE,
        /** A frame does not arrive. */
        DROP,
        /** Bytes arrive later. */
        DELAY,
        /** A frame arrives twice. */
        DUP,
        /** A frame arrives after the one behind it. */
        REORDER,
        /** Bytes arrive no faster. */
        THROTTLE,
        /** A bit of a frame's envelope arrives wrong. */
        CORRUPT,
        /** New connections are refused. */
        REFUSE
    }

    /** Nothing passes on these links, from one time to another. No rule is told of it. */
    public static LinkFault cut(LinkEnds ends, long beginNs, long endNs) {
        return new LinkFault(0, Kind.BLACKHOLE, ends, beginNs, endNs, LinkTerms.NONE);
    }

    /** Resets of all links, one in each period. */
    public static LinkFault resets(long afterNs, long everyNs) {
        return new LinkFault(0, Kind.RESET, SlotEnds.ALL, afterNs, Long.MAX_VALUE, LinkTerms.lasting(everyNs));
    }

    /** Nothing passes on any link. */
    public static LinkFault hole(long afterNs, long durationNs) {
        return cut(SlotEnds.ALL, afterNs, afterNs + durationNs);
    }

    /** Whether it is for links between slots, and happens to what goes from one slot to the other. */
    boolean hits(int sender, int receiver) {
        return ends instanceof SlotEnds slots && slots.hits(sender, receiver);
    }
}
