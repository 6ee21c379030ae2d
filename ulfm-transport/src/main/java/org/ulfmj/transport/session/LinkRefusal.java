package org.ulfmj.transport.session;

import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/** The reason why an acceptor does not adopt the connection of a proven dialer. */
public sealed interface LinkRefusal {
    /**
     * The number in the dialer's HELLO is out of date: the acceptor has adopted a newer connection.
     *
     * @param generation the number of the newest connection that the acceptor knows
     */
    record Stale(long generation) implements LinkRefusal {}

    /** The acceptor has marked the dialer failed, or knows a later process of the dialer's slot. */
    record YouFailed() implements LinkRefusal {}

    /**
     * The dialer wanted another process than this acceptor, or the acceptor knows another process by the dialer's id.
     *
     * @param me the identity of the acceptor
     */
    record NotMe(LinkIdentity me) implements LinkRefusal {}

    int MAX_BYTES = 32;

    default byte[] toBytes() {
        WireWriter out = new WireWriter(MAX_BYTES);
        if (this instanceof Stale stale) {
            out.putByte(0).putLong(stale.generation());
        } else if (this instanceof YouFailed) {
            out.putByte(1);
        } else if (this instanceof NotMe notMe) {
            out.putByte(2);
            notMe.me().writeTo(out);
        }
        return out.toByteArray();
    }

    /** @throws WireFormatException if the bytes are no refusal */
    static LinkRefusal of(byte[] bytes) {
        WireReader in = new WireReader(bytes);
        int kind = in.getByte();
        LinkRefusal refusal =
                switch (kind) {
                    case 0 -> new Stale(in.getLong());
                    case 1 -> new YouFailed();
                    case 2 -> new NotMe(LinkIdentity.readFrom(in));
                    default -> throw new WireFormatException("refusal of unknown kind " + kind);
                };
        in.requireEnd();
        return refusal;
    }
}
