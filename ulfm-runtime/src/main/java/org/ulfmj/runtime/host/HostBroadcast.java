package org.ulfmj.runtime.host;

import org.ulfmj.transport.Payload;

/**
 * The broadcast in shared memory: the root shows its bytes in its segment, piece by piece; the other ranks copy them
 * out. While its segment has room the root waits for no rank, and may be ahead of the ranks that read.
 */
public final class HostBroadcast {
    /** Up to this length a rank copies the bytes in less time than the wake-up of another rank takes. */
    private static final int SHORT_BYTES = 4096;

    private HostBroadcast() {}

    /** @param data read at the root, written at the other ranks; equally long at all ranks */
    public static void run(HostGroup group, Payload data, int root) {
        int bytes = (int) data.lengthBytes();
        long call = HostCall.of(HostCall.BCAST, root, 0, bytes);
        int piece = group.layout().longestRingData();
        boolean isShort = bytes <= SHORT_BYTES;
        group.needs(bytes);
        int done = 0;
        do {
            int length = Math.min(piece, bytes - done);
            if (group.rank() == root) {
                int place = group.place(length);
                data.copyOut(done, group.write(place, length));
                if (isShort) {
                    group.publishLast(call, place);
                } else {
                    group.publish(call, place);
                }
            } else {
                long operation = isShort ? group.publishNothingLast(call) : group.publishNothing(call);
                group.awaitOneAhead(operation, root);
                group.requireSame(operation, root, call);
                data.copyIn(done, group.read(root, group.placeOf(operation, root), length));
            }
            done += length;
        } while (done < bytes);
    }
}
