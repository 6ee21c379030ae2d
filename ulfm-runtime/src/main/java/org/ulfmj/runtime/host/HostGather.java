package org.ulfmj.runtime.host;

import org.ulfmj.transport.Payload;

/** Every rank shows what it has for the others, and copies out what it gets: everybody's part, or its own part of everybody's. */
public final class HostGather {
    private HostGather() {}

    /**
     * @param mine the own part; null if it is in its place already
     * @param all equal parts by rank
     */
    public static void allGather(HostGroup group, Payload mine, Payload all) {
        int size = group.size();
        int rank = group.rank();
        int part = (int) (all.lengthBytes() / size);
        long call = HostCall.of(HostCall.ALL_GATHER, 0, 0, part);
        // The pieces of all are copied out under the engine lock.
        int piece = group.layout().longestRingData() / size & -Long.BYTES;
        int done = 0;
        do {
            int length = Math.min(piece, part - done);
            int place = group.place(length);
            if (mine != null) {
                mine.copyOut(done, group.write(place, length));
            } else {
                all.copyOut((long) rank * part + done, group.write(place, length));
            }
            long operation = group.publish(call, place);
            group.awaitAll(operation);
            group.requireSame(operation, call);
            for (int other = 0; other < size; other++) {
                if (other != rank || mine != null) {
                    all.copyIn((long) other * part + done, group.read(other, group.placeOf(operation, other), length));
                }
            }
            done += length;
        } while (done < part);
    }

    /** Equal parts by rank in both. */
    public static void allToAll(HostGroup group, Payload send, Payload receive) {
        int size = group.size();
        int part = (int) (send.lengthBytes() / size);
        long call = HostCall.of(HostCall.ALL_TO_ALL, 0, 0, part);
        // As above: a piece of every part.
        int piece = group.layout().longestRingData() / size & -Long.BYTES;
        int done = 0;
        do {
            int length = Math.min(piece, part - done);
            int place = group.place(size * length);
            for (int other = 0; other < size; other++) {
                send.copyOut((long) other * part + done, group.write(place + other * length, length));
            }
            long operation = group.publish(call, place);
            group.awaitAll(operation);
            group.requireSame(operation, call);
            for (int other = 0; other < size; other++) {
                int at = group.placeOf(operation, other) + group.rank() * length;
                receive.copyIn((long) other * part + done, group.read(other, at, length));
            }
            done += length;
        } while (done < part);
    }
}
