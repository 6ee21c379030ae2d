package org.ulfmj.rendezvous.message;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.sim.fuzz.FuzzTarget;

/**
 * Fuzzes the decoder of messages between a process and the launcher, which include values of the store and reports of
 * waits.
 */
final class RendezvousFuzz implements FuzzTarget {
    @Override
    public List<byte[]> samples() {
        List<byte[]> samples = new ArrayList<>();
        for (RendezvousMessage message : RendezvousCodecTest.oneOfEach()) {
            samples.add(RendezvousCodec.encode(message));
        }
        return samples;
    }

    @Override
    public void parse(byte[] input) {
        RendezvousCodec.decode(input);
    }
}
