package org.ulfmj.rendezvous.marked;

import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * The content of a client's marker key (S9): the client's last change, and the answer to it. If the marker was written
 * with that change, the revision of the change is the one in which the marker was written.
 *
 * @param id the number of the change: 1, 2, 3 … for the changes of one client
 * @param isMade whether this marker was written with that change; if not, no attempt of the change that was sent before
 *     will be carried out any more
 * @param sum the answer to an addition; in a marker that was written for a new lease, the lease's number
 */
record Marker(long id, boolean isMade, long sum) {
    byte[] toBytes() {
        return new WireWriter(2 * Long.BYTES + 1)
                .putLong(id)
                .putByte(isMade ? 1 : 0)
                .putLong(sum)
                .toByteArray();
    }

    /** @throws WireFormatException for more or fewer bytes than {@link #toBytes} writes */
    static Marker of(byte[] bytes) {
        WireReader in = new WireReader(bytes);
        Marker marker = new Marker(in.getLong(), in.getByte() == 1, in.getLong());
        in.requireEnd();
        return marker;
    }
}
