package org.ulfmj.transport.record;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;

/** Which TCP connections of a job carry encrypted records ({@code ulfm.net.protect}). */
public enum Protection {
    /**
     * Connections to other hosts carry records: those whose other end has another address than this end, which is no
     * loopback address either.
     */
    AUTO,
    /** All. */
    AEAD,
    /** None. */
    NONE;

    /**
     * Whether a connection must carry encrypted records. Both ends decide for themselves, and the addresses that they
     * see may differ where an address is translated on the way. It is enough that one end wants records: a dialer that
     * is refused for lack of them offers them at its next dial, if it {@link #yields}.
     *
     * @param channel connected
     */
    public boolean covers(SocketChannel channel) throws IOException {
        return this == AEAD
                || this == AUTO
                        && leavesHost(addressOf(channel.getLocalAddress()), addressOf(channel.getRemoteAddress()));
    }

    /** Whether a dialer that sees no need for records offers them from now on to an acceptor that demands them. */
    public boolean yields() {
        return this == AUTO;
    }

    private static InetAddress addressOf(SocketAddress end) throws IOException {
        if (end == null) {
            throw new IOException("the connection has ended");
        }
        return ((InetSocketAddress) end).getAddress();
    }

    static boolean leavesHost(InetAddress local, InetAddress remote) {
        return !remote.isLoopbackAddress() && !remote.equals(local);
    }
}
