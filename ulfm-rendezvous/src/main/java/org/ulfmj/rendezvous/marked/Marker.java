package org.ulfmj.rendezvous.marked;

import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * The content of a client's marker key (S9): the client's last change, and the answer to it. The revision of that
 * change is the one in which the marker itself was written.
 *
 * @param id the number of the change: 1, 2, 3 … for the changes of one client
 * @param isMade whether that change was carried out; if not, no attempt of it will be
 * @param sum the answer to an addition that was carried out
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
