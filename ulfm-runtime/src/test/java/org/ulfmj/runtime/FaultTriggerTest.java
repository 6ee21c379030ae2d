package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.runtime.collective.BarrierSchedule;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.options.FaultTrigger;

/** Tests that a planned death happens at the call that its rule names. */
class FaultTriggerTest {
    @Test
    void shouldStopAtTheCallThatATriggerNames() throws Exception {
        FaultTrigger third = new FaultTrigger(1, "barrier", 3);
        try (LocalRanks ranks =
                new LocalRanks(2, (slot, settings) -> slot == 1 ? settings.withTriggers(List.of(third)) : settings)) {
            int[] passed = new int[2];
            ranks.run(rank -> {
                try {
                    for (int i = 0; i < 5; i++) {
                        rank.enterCall("barrier");
                        rank.world().collectives().run(new BarrierSchedule());
                        passed[rank.id().slot()]++;
                    }
                } catch (CallError failed) {
                    assertThat(failed.error()).isEqualTo(ErrorClass.PROC_FAILED);
                }
            });
            assertThat(passed).containsExactly(2, 2);
            assertThat(catchThrowableOfType(
                            LocalRanks.Killed.class, () -> ranks.rank(1).enterCall("barrier")))
                    .isNotNull();
        }
    }
}
