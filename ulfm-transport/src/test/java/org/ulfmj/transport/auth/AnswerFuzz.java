package org.ulfmj.transport.auth;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.ulfmj.sim.fuzz.FuzzTarget;

/**
 * Fuzzes what a false acceptor sends to a dialer in the place of a challenge or of an answer. The first byte of an
 * input says which of the two.
 */
final class AnswerFuzz implements FuzzTarget {
    private final HandshakePair pair = new HandshakePair();

    @Override
    public List<byte[]> samples() {
        return List.of(with(0, pair.challenge()), with(1, pair.answer()));
    }

    private static byte[] with(int first, byte[] message) {
        byte[] all = new byte[1 + message.length];
        all[0] = (byte) first;
        System.arraycopy(message, 0, all, 1, message.length);
        return all;
    }

    @Override
    public void parse(byte[] input) throws HandshakeException {
        byte[] message = Arrays.copyOfRange(input, Math.min(1, input.length), input.length);
        DialerHandshake dialer = pair.dialer();
        if (input.length > 0 && input[0] == 0) {
            dialer.hello(message, new byte[0]);
        } else {
            dialer.hello(pair.challenge(), new byte[] {1, 2, 3, 4, 5});
            dialer.read(message);
        }
    }

    @Override
    public Set<Class<? extends Exception>> refusals() {
        return Set.of(HandshakeException.class);
    }
}
