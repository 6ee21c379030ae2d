package org.ulfmj.transport.session;

import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * The message HELLO_OK: the acceptor has adopted the connection.
 *
 * @param generation number of the connection
 * @param lastDelivered number of the last frame of the dialer that the acceptor has delivered
 */
public record LinkOk(long generation, long lastDelivered) {
    private static final int BYTES = 2 * Long.BYTES;

    public byte[] toBytes() {
        return new WireWriter(BYTES).putLong(generation).putLong(lastDelivered).toByteArray();
    }

    /** @throws WireFormatException if the bytes are no HELLO_OK */
    public static LinkOk of(byte[] bytes) {
        WireReader in = new WireReader(bytes);
        LinkOk ok = new LinkOk(in.getLong(), in.getLong());
        in.requireEnd();
        return ok;
    }
}
