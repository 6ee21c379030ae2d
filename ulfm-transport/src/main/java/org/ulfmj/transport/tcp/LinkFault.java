package org.ulfmj.transport.tcp;

/**
 * One fault of the links of a rank.
 *
 * @param rule number of the rule that it comes from; 0 if none is told of it
 * @param kind what happens
 * @param from slot at one end; {@link #ANY} for each
 * @param to slot at the other end; {@link #ANY} for each
 * @param bothWays whether it also happens to what goes from {@code to} to {@code from}
 * @param beginNs after the links know their peers
 * @param endNs likewise; {@link Long#MAX_VALUE} for never
 * @param lengthNs of a delay; the time between two resets, 0 for one alone
 * @param spreadNs by which a delay differs at most
 * @param probability which part of the frames is hit
 * @param bytesPerSecond that pass at most
 * @param most how often it happens at this rank at most; 0 for as often as it may
 * @param hosts that a fault is for instead of slots; null if it is for slots
 */
public record LinkFault(
        int rule,
        Kind kind,
        int from,
        int to,
        boolean bothWays,
        long beginNs,
        long endNs,
        long lengthNs,
        long spreadNs,
        double probability,
        long bytesPerSecond,
        long most,
        HostCut hosts) {
    /** In place of a slot: each. */
    public static final int ANY = -1;

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

    /** A fault of links between slots. */
    public LinkFault(
            int rule,
            Kind kind,
            int from,
            int to,
            boolean bothWays,
            long beginNs,
            long endNs,
            long lengthNs,
            long spreadNs,
            double probability,
            long bytesPerSecond,
            long most) {
        this(
                rule,
                kind,
                from,
                to,
                bothWays,
                beginNs,
                endNs,
                lengthNs,
                spreadNs,
                probability,
                bytesPerSecond,
                most,
                null);
    }

    /** Nothing passes between this host and others, from one time to another. No rule is told of it. */
    public static LinkFault cut(HostCut hosts, long beginNs, long endNs) {
        return new LinkFault(0, Kind.BLACKHOLE, ANY, ANY, true, beginNs, endNs, 0, 0, 1, 0, 0, hosts);
    }

    /** Nothing passes between two slots, from one time to another. No rule is told of it. */
    public static LinkFault cut(int from, int to, boolean bothWays, long beginNs, long endNs) {
        return new LinkFault(0, Kind.BLACKHOLE, from, to, bothWays, beginNs, endNs, 0, 0, 1, 0, 0);
    }

    /** Resets of all links, one in each period. */
    public static LinkFault resets(long afterNs, long everyNs) {
        return new LinkFault(0, Kind.RESET, ANY, ANY, true, afterNs, Long.MAX_VALUE, everyNs, 0, 1, 0, 0);
    }

    /** Nothing passes on any link. */
    public static LinkFault hole(long afterNs, long durationNs) {
        return new LinkFault(0, Kind.BLACKHOLE, ANY, ANY, true, afterNs, afterNs + durationNs, 0, 0, 1, 0, 0);
    }

    /** Whether it happens to what goes from one slot to the other. */
    boolean hits(int sender, int receiver) {
        return isPair(sender, receiver, from, to) || bothWays && isPair(receiver, sender, from, to);
    }

    private static boolean isPair(int one, int other, int first, int second) {
        return (first == ANY || first == one) && (second == ANY || second == other);
    }
}
