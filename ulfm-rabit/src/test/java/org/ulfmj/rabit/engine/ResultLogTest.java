package org.ulfmj.rabit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ResultLogTest {
    private static final Shape SHAPE = Shape.allReduce("double", 8, 8, "MPI.SUM");

    private final ResultMemory memory = new ResultMemory(1 << 20);
    private final ResultLog log = new ResultLog(memory);

    @Test
    void shouldUseTheMemoryOfAResultAgainOnlyWhenItIsReleased() {
        ByteBuffer kept = memory.take(64);
        ByteBuffer passed = memory.take(64);
        log.put(0, new Entry(SHAPE, kept, true));
        log.put(1, new Entry(SHAPE, passed, false));

        log.release(1);
        assertThat(memory.take(64)).isNotSameAs(kept).isNotSameAs(passed);

        log.release(2);
        assertThat(memory.take(64)).isSameAs(passed);
        assertThat(memory.take(64)).isNotSameAs(kept);
    }

    @Test
    void shouldUseTheMemoryOfAllResultsAgainAfterACheckpoint() {
        ByteBuffer result = memory.take(64);
        log.put(0, new Entry(SHAPE, result, true));

        log.clear();

        assertThat(memory.take(64)).isSameAs(result);
    }

    @Test
    void shouldUseTheMemoryInTheSameOrderAgain() {
        ByteBuffer first = memory.take(64);
        ByteBuffer second = memory.take(64);
        log.put(0, new Entry(SHAPE, first, true));
        log.put(1, new Entry(SHAPE, second, true));

        log.clear();

        assertThat(memory.take(64)).isSameAs(first);
        assertThat(memory.take(64)).isSameAs(second);
    }

    @Test
    void shouldNeverUseTheMemoryOfAFetchedResult() {
        ByteBuffer fetched = ByteBuffer.allocate(64);
        log.put(0, Entry.fetched(SHAPE, fetched));

        log.clear();

        assertThat(memory.take(64)).isNotSameAs(fetched);
    }
}
