package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.runtime.Raised.error;
import static org.ulfmj.runtime.Raised.fault;

import org.junit.jupiter.api.Test;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;

/** Tests a rank that is alive while others have marked it failed: it ends itself. */
class FencingTest {
    @Test
    void shouldFenceARankThatOthersHoldForFailed() throws Exception {
        try (LocalRanks ranks = new LocalRanks(3)) {
            ranks.run(
                    rank -> {
                        rank.news()
                                .onEvidence(
                                        ProcessId.of(2),
                                        new Evidence(Evidence.Kind.SUSPECTED, ProcessId.of(0), "silent in this test"));
                        assertThat(error(() -> Messages.receive(rank.world(), 1, 2, 0)))
                                .isEqualTo(ErrorClass.PROC_FAILED);
                        assertThat(rank.world().recovery().shrink().size()).isEqualTo(2);
                    },
                    rank -> {
                        assertThat(rank.world().recovery().shrink().size()).isEqualTo(2);
                    },
                    rank -> {
                        CallError fault = fault(() -> Messages.receive(rank.world(), 1, 0, 0));
                        assertThat(fault.error()).isEqualTo(ErrorClass.PROC_ABORTED);
                        assertThat(error(() -> rank.enterCall("send"))).isEqualTo(ErrorClass.PROC_ABORTED);
                    });
            assertThat(ranks.fenced).hasSize(1).first().asString().startsWith("2: ");
        }
    }
}
