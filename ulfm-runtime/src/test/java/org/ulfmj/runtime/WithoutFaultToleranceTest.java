package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.runtime.collective.BarrierSchedule;

/** Tests recovery calls and failures in a job without fault tolerance. */
class WithoutFaultToleranceTest {
    @Test
    void shouldReduceAgreeToAnAllreduceWithoutFaultTolerance() throws Exception {
        new LocalRanks(3, settings -> settings.withFaultTolerance(false)).runOnce(rank -> {
            Communicator world = rank.world();
            assertThat(world.recovery().agree(6 | world.rank() & 1)).isEqualTo(6);
            assertThat(world.recovery().agreeFailed()).isEmpty();
            Communicator same = world.recovery().shrink();
            assertThat(same.size()).isEqualTo(3);
            same.collectives().run(new BarrierSchedule());
        });
    }

    @Test
    void shouldEndTheJobAtAFailureWithoutFaultTolerance() throws Exception {
        try (LocalRanks ranks = new LocalRanks(2, settings -> settings.withFaultTolerance(false))) {
            ranks.run(
                    rank -> {
                        ranks.kill(1);
                        while (ranks.abortCount() == 0) {
                            Envelope.tryProbe(rank.world(), 1, 0);
                        }
                    },
                    rank -> {});
            assertThat(ranks.aborts).first().asString().contains("process 1 failed (thread 1 was killed)");
        }
    }
}
