package org.ulfmj.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A sender that dies at each word of a record, no matter where in the ring the record lies and what lay there before.
 * The test writes the sender's words one after the other, and the reader looks after each.
 */
class TornRecordTest {
    private static final int MEMORY_BYTES = LaneLayout.RECORDS_AT + 512;

    private final ByteBuffer memory = memory();
    private final RingWriter writer = new RingWriter(memory);
    private final RingReader reader = new RingReader(memory.duplicate().order(ByteOrder.nativeOrder()));

    /** One word that the sender writes. */
    private record Step(int at, long value) {}

    private static ByteBuffer memory() {
        return ByteBuffer.allocateDirect(MEMORY_BYTES).order(ByteOrder.nativeOrder());
    }

    private static byte[] body(int length, int value) {
        byte[] body = new byte[length];
        Arrays.fill(body, (byte) value);
        return body;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 33, 100, 180})
    void shouldShowNothingBeforeTheLastWord(int lengthBytes) {
        int skips = 0;
        for (int turn = 0; turn < 200; turn++) {
            // Leaves bytes of 0xff in the ring, behind which the record is written.
            write(body(turn % 61, 0xff));
            assertThat(reader.next()).isTrue();
            reader.release();
            long[] before = words();
            write(body(lengthBytes, turn));
            List<Step> steps = steps(before, words());
            skips += steps.get(0).at() == LaneLayout.RECORDS_AT && steps.get(0).value() == 0 ? 1 : 0;
            set(before);
            for (Step step : steps) {
                assertThat(reader.next()).as("turn %d, before %s", turn, step).isFalse();
                assertThat(reader.fault()).isNull();
                memory.putLong(step.at(), step.value());
            }
            assertThat(reader.next()).isTrue();
            assertThat(reader.bodyBytes()).isEqualTo(lengthBytes);
            byte[] got = new byte[lengthBytes];
            reader.body().get(got);
            assertThat(got).isEqualTo(body(lengthBytes, turn));
            reader.release();
        }
        assertThat(skips).as("records that did not fit before the end").isPositive();
    }

    private void write(byte[] body) {
        assertThat(writer.write(body)).isTrue();
    }

    private long[] words() {
        long[] words = new long[MEMORY_BYTES / Long.BYTES];
        memory.asLongBuffer().get(words);
        return words;
    }

    private void set(long[] words) {
        memory.asLongBuffer().put(words);
    }

    /**
     * The words of a record in the order in which a sender writes them: a word that is published with release comes
     * after all others before it.
     */
    private List<Step> steps(long[] before, long[] after) {
        int first = LaneLayout.RECORDS_AT;
        int waitedAt = -1;
        List<Step> bodies = new ArrayList<>();
        for (int word = first / Long.BYTES; word < after.length; word++) {
            int at = word * Long.BYTES;
            if (before[word] == 0 && after[word] != 0 && isWaitedAt(at, before)) {
                waitedAt = at;
            } else if (before[word] != after[word] && at != first) {
                bodies.add(new Step(at, after[word]));
            }
        }
        List<Step> steps = new ArrayList<>();
        boolean isSkip = LaneLayout.kindOf(after[waitedAt / Long.BYTES]) == LaneLayout.SKIP;
        if (isSkip) {
            steps.add(new Step(first, 0));
            steps.add(new Step(waitedAt, after[waitedAt / Long.BYTES]));
        }
        steps.addAll(bodies);
        if (!isSkip && waitedAt != first && before[first / Long.BYTES] != after[first / Long.BYTES]) {
            // The place at the start of the ring, where the next commit word will be, is set to zero before this one.
            steps.add(new Step(first, after[first / Long.BYTES]));
        }
        int last = isSkip ? first : waitedAt;
        steps.add(new Step(last, after[last / Long.BYTES]));
        return steps;
    }

    /** Whether the reader notices a word that is put at this place alone. */
    private boolean isWaitedAt(int at, long[] before) {
        set(before);
        memory.putLong(at, 1);
        boolean isSeen = !reader.isEmpty();
        set(before);
        return isSeen;
    }
}
