package org.ulfmj.transport.auth;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.ulfmj.sim.fuzz.FuzzTarget;
import org.ulfmj.transport.ByteChannelOf;

/** Fuzzes the cutting of what a stranger sends into messages of a handshake. */
final class HandshakeStreamFuzz implements FuzzTarget {
    private final HandshakePair pair = new HandshakePair();

    @Override
    public List<byte[]> samples() {
        return List.of(stream(pair.hello()), stream(pair.challenge()), stream(new byte[Handshake.MAX_MESSAGE_BYTES]));
    }

    private static byte[] stream(byte[] message) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(message.length);
        out.write(message.length >> 8);
        out.writeBytes(message);
        return out.toByteArray();
    }

    @Override
    public void parse(byte[] input) throws IOException, HandshakeException {
        HandshakeStream stream = new HandshakeStream(new ByteChannelOf(input));
        for (byte[] message = stream.read(); message != null; message = stream.read()) {
            if (message.length == 0) {
                throw new IllegalStateException("an empty message");
            }
        }
    }

    @Override
    public Set<Class<? extends Exception>> refusals() {
        return Set.of(HandshakeException.class, EOFException.class);
    }

    /** A length that is not followed by its bytes may cost the memory of one message at most. */
    @Override
    public long capBytes(int lengthBytes) {
        return 8 * 1024 + 8L * lengthBytes + Handshake.MAX_MESSAGE_BYTES;
    }
}
