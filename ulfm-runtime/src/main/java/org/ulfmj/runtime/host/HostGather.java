package org.ulfmj.runtime.host;

import org.ulfmj.runtime.lent.LentBuffer;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.Payload;

/**
 * The allgather and the all-to-all in shared memory. Every rank shows its parts in its segment, and copies out what it
 * gets: the parts of all ranks, or from each rank the part for itself. Long parts that all ranks have in lent memory
 * may be copied from there instead ({@link LentParts}).
 */
public final class HostGather {
    private final HostGroup group;
    private final LentParts lent;

    public HostGather(HostGroup group, HostMemory memory) {
        this.group = group;
        this.lent = new LentParts(group, memory);
    }

    /**
     * Whether to try to read the parts in lent memory: they are long enough, and reading there has not failed lately.
     *
     * @param bytes the length of the parts of all ranks together
     */
    public boolean mayBeLent(long bytes) {
        return bytes / group.size() >= LentParts.LEAST_BYTES && lent.isWorthIt();
    }

    /**
     * Gathers the parts of all ranks, at all ranks.
     *
     * @param mine this rank's part; null if the part is in its place in {@code all}
     * @param all room for the parts of all ranks, equally long and in rank order
     * @param readable the lent buffer in which other ranks can read {@code mine}, or {@code all} if {@code mine} is
     *     null; null if they cannot or are not to
     */
    public void allGather(Payload mine, Payload all, LentBuffer readable) {
        int size = group.size();
        int rank = group.rank();
        int part = (int) (all.lengthBytes() / size);
        long call = HostCall.of(HostCall.ALL_GATHER, 0, 0, part);
        if (readable != null) {
            long offset = mine == null ? readable.offsetOf(all) + (long) rank * part : readable.offsetOf(mine);
            if (lent.exchange(call, readable.id(), offset, 0, mine, 0, part, all)) {
                return;
            }
        }
        // The pieces of all ranks are copied out under the engine lock, so all of them together are bounded.
        int piece = group.layout().longestRingData() / size & -Long.BYTES;
        boolean mayBeMixed = readable == null && mayBeLent(all.lengthBytes());
        group.needs(part);
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
            if (mine != null) {
                all.copyIn((long) rank * part + done, group.read(rank, place, length)); // while others write theirs
            }
            group.awaitAll(operation);
            group.requireSame(operation, call);
            if (mayBeMixed && lent.isInAny(operation)) {
                // Some rank has its part in lent memory and has shown no piece of it in its segment. So all ranks begin
                // again, and each shows its first piece.
                mayBeMixed = false;
                continue;
            }
            mayBeMixed = false;
            for (int other = 0; other < size; other++) {
                if (other != rank) {
                    all.copyIn((long) other * part + done, group.read(other, group.placeOf(operation, other), length));
                }
            }
            done += length;
        } while (done < part);
    }

    /**
     * Sends a part to each rank and receives one from each. Both payloads have equally long parts, in rank order.
     *
     * @param readable the lent buffer in which other ranks can read {@code send}; null if they cannot or are not to
     */
    public void allToAll(Payload send, Payload receive, LentBuffer readable) {
        int size = group.size();
        int rank = group.rank();
        int part = (int) (send.lengthBytes() / size);
        long call = HostCall.of(HostCall.ALL_TO_ALL, 0, 0, part);
        long mineAt = (long) rank * part;
        if (readable != null
                && lent.exchange(call, readable.id(), readable.offsetOf(send), mineAt, send, mineAt, part, receive)) {
            return;
        }
        // As in allGather, the pieces of all parts are copied out under the engine lock.
        int piece = group.layout().longestRingData() / size & -Long.BYTES;
        boolean mayBeMixed = readable == null && mayBeLent(send.lengthBytes());
        group.needs((int) send.lengthBytes());
        int done = 0;
        do {
            int length = Math.min(piece, part - done);
            int place = group.place(size * length);
            for (int other = 0; other < size; other++) {
                send.copyOut((long) other * part + done, group.write(place + other * length, length));
            }
            long operation = group.publish(call, place);
            receive.copyIn(mineAt + done, group.read(rank, place + rank * length, length)); // while others write theirs
            group.awaitAll(operation);
            group.requireSame(operation, call);
            if (mayBeMixed && lent.isInAny(operation)) {
                // Some rank has its parts in lent memory and has shown nothing in its segment. So all ranks begin
                // again, with segments only.
                mayBeMixed = false;
                continue;
            }
            mayBeMixed = false;
            for (int other = 0; other < size; other++) {
                if (other != rank) {
                    int at = group.placeOf(operation, other) + rank * length;
                    receive.copyIn((long) other * part + done, group.read(other, at, length));
                }
            }
            done += length;
        } while (done < part);
    }
}
