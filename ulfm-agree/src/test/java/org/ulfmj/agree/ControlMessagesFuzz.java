package org.ulfmj.agree;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.ulfmj.agree.message.ControlCodec;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.sim.fuzz.FuzzTarget;

/**
 * Feeds the reader of control messages with damaged messages of detector, broadcast, agreement and replacement, as a
 * member of the job may send them.
 */
final class ControlMessagesFuzz implements FuzzTarget {
    private static final int SAMPLES = 100;

    @Override
    public List<byte[]> samples() {
        List<byte[]> samples = new ArrayList<>();
        Random random = new Random(1);
        for (int i = 0; i < SAMPLES; i++) {
            samples.add(ControlCodec.encode(ControlCodecTest.anyMessage(random)));
        }
        return samples;
    }

    @Override
    public void parse(byte[] input) {
        ControlCodec.encode(ControlCodec.decode(new WireReader(input)));
    }

    /**
     * A set of processes is read into a tree, and the message is written once more, into a writer that grows by
     * doubling. So this much memory is allowed.
     */
    @Override
    public long capBytes(int lengthBytes) {
        return 64 * 1024 + 128L * lengthBytes;
    }
}
