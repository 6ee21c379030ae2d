package org.ulfmj.transport.session;

import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * The body of the message HELLO, which a dialer sends after the acceptor's challenge. In the HELLO of a lifeline both
 * numbers are 0.
 *
 * @param from the dialer
 * @param to the process that the dialer wants to reach
 * @param generation if the dialer is the lower slot: the number of this connection; if it is the higher slot: the
 *     newest number that it knows
 * @param lastDelivered number of the last frame of the acceptor that the dialer has delivered
 */
public record LinkHello(LinkIdentity from, LinkIdentity to, long generation, long lastDelivered) {
    private static final int MAX_BYTES = 64;

    public byte[] toBytes() {
        WireWriter out = new WireWriter(MAX_BYTES);
        from.writeTo(out);
        to.writeTo(out);
        return out.putLong(generation).putLong(lastDelivered).toByteArray();
    }

    /** @throws WireFormatException if the bytes are no HELLO */
    public static LinkHello of(byte[] bytes) {
        WireReader in = new WireReader(bytes);
        LinkHello hello =
                new LinkHello(LinkIdentity.readFrom(in), LinkIdentity.readFrom(in), in.getLong(), in.getLong());
        in.requireEnd();
        return hello;
    }
}
