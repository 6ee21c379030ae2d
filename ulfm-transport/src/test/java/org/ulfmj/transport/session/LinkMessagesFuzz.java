package org.ulfmj.transport.session;

import java.util.Arrays;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.fuzz.FuzzTarget;

/** Fuzzes the bodies of the messages of a link's handshake. The first byte of an input says which message it is. */
final class LinkMessagesFuzz implements FuzzTarget {
    private static final LinkIdentity ONE = new LinkIdentity(new ProcessId(3, 1), 4711);

    @Override
    public List<byte[]> samples() {
        return List.of(
                with(0, new LinkHello(ONE, new LinkIdentity(ProcessId.of(4), -1), 5, 6).toBytes()),
                with(1, new LinkOk(7, 8).toBytes()),
                with(2, new LinkRefusal.Stale(9).toBytes()),
                with(2, new LinkRefusal.YouFailed().toBytes()),
                with(2, new LinkRefusal.NotMe(ONE).toBytes()));
    }

    private static byte[] with(int first, byte[] body) {
        byte[] all = new byte[1 + body.length];
        all[0] = (byte) first;
        System.arraycopy(body, 0, all, 1, body.length);
        return all;
    }

    @Override
    public void parse(byte[] input) {
        byte[] body = Arrays.copyOfRange(input, Math.min(1, input.length), input.length);
        switch (input.length == 0 ? 0 : input[0]) {
            case 0 -> LinkHello.of(body);
            case 1 -> LinkOk.of(body);
            default -> LinkRefusal.of(body);
        }
    }
}
