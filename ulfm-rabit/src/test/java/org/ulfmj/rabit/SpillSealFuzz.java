package org.ulfmj.rabit;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.ulfmj.rabit.spill.SpillSeal;
import org.ulfmj.sim.fuzz.FuzzTarget;

/**
 * Feeds {@code SpillSeal} with files that may lie where a job keeps its checkpoints. No file gives another content than
 * the one that the job has sealed.
 */
final class SpillSealFuzz implements FuzzTarget {
    private static final ByteBuffer CONTENT = ByteBuffer.wrap(new byte[] {1, 2, 3});

    private final SpillSeal seal = new SpillSeal("job-1", new byte[32]);

    @Override
    public List<byte[]> samples() {
        ByteBuffer head = seal.head(3, 4, true, CONTENT);
        return List.of(ByteBuffer.allocate(head.remaining() + CONTENT.remaining())
                .put(head)
                .put(CONTENT.duplicate())
                .array());
    }

    @Override
    public void parse(byte[] input) {
        ByteBuffer content = seal.open(ByteBuffer.wrap(input), 3, 4, true);
        if (content != null && !content.equals(CONTENT)) {
            throw new IllegalStateException("a content that was not sealed");
        }
    }

    @Override
    public Set<Class<? extends Exception>> refusals() {
        return Set.of();
    }
}
