package org.ulfmj.transport.auth;

import java.util.List;
import java.util.Set;
import org.ulfmj.sim.fuzz.FuzzTarget;

/** Fuzzes what a stranger sends to an acceptor in the place of a HELLO. */
final class HelloFuzz implements FuzzTarget {
    private final HandshakePair pair = new HandshakePair();

    @Override
    public List<byte[]> samples() {
        return List.of(pair.hello());
    }

    @Override
    public void parse(byte[] input) throws HandshakeException {
        pair.acceptor().read(input);
    }

    @Override
    public Set<Class<? extends Exception>> refusals() {
        return Set.of(HandshakeException.class);
    }
}
