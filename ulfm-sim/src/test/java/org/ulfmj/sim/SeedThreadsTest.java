package org.ulfmj.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SeedThreadsTest {
    private final Set<Long> ran = Collections.synchronizedSet(new TreeSet<>());

    @Test
    void shouldRunEachSeedOnceWhenSeveralThreadsTakeThem() throws InterruptedException {
        SeedThreads pool = new SeedThreads(new SeedRange(5, 1_004), 7, () -> false);
        for (int i = 0; i < 3; i++) {
            pool.start("taker-" + i, seed -> assertThat(ran.add(seed)).isTrue());
        }
        pool.run(seed -> assertThat(ran.add(seed)).isTrue());
        assertThat(pool.await(Long.MAX_VALUE)).isTrue();
        assertThat(ran)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(5, 1_004).boxed().toList());
    }

    @Test
    void shouldStopWhenEnoughIsKnown() {
        SeedThreads pool = new SeedThreads(new SeedRange(1, 1_000), 64, () -> ran.size() >= 10);
        pool.run(ran::add);
        assertThat(ran).hasSize(10);
    }

    @Test
    void shouldSaySoWhenASeedThrows() {
        SeedThreads pool = new SeedThreads(new SeedRange(1, 10), 1, () -> false);
        IllegalArgumentException thrown = new IllegalArgumentException("seed");
        pool.start("breaker", seed -> {
            throw thrown;
        });
        assertThatThrownBy(() -> pool.await(Long.MAX_VALUE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the simulator itself broke")
                .hasCause(thrown);
    }

    @Test
    void shouldComeBackWhenThreadsStillRun() throws InterruptedException {
        Object gate = new Object();
        SeedThreads pool = new SeedThreads(new SeedRange(1, 1), 1, () -> false);
        synchronized (gate) {
            pool.start("waiter", seed -> {
                synchronized (gate) {
                    ran.add(seed);
                }
            });
            assertThat(pool.await(1)).isFalse();
        }
        assertThat(pool.await(Long.MAX_VALUE)).isTrue();
        assertThat(List.copyOf(ran)).containsExactly(1L);
    }
}
