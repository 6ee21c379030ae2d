package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.runtime.Raised.error;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ulfmj.runtime.collective.run.KeptCall;
import org.ulfmj.runtime.collective.run.KeptCalls;
import org.ulfmj.runtime.error.ErrorClass;

/** Tests which objects of collective operations are reused, and which are never. */
@Timeout(120)
class KeptCallsTest {
    private static KeptCall next(RankRuntime rank) {
        KeptCall call = rank.engine().keptCalls().take();
        rank.engine().keptCalls().giveBack(call);
        return call;
    }

    @Test
    void shouldUseObjectsAgainWhenTheOperationHasSucceeded() throws Exception {
        new LocalRanks(2).runOnce(rank -> {
            rank.world().collectives().barrier();
            KeptCall first = next(rank);
            rank.world().collectives().barrier();
            rank.world().creation().dup().collectives().barrier();
            assertThat(next(rank)).isSameAs(first);
        });
    }

    @Test
    void shouldUseObjectsAgainWhenTheRequestIsComplete() throws Exception {
        new LocalRanks(2).runOnce(rank -> {
            rank.world().collectives().barrier();
            KeptCall first = next(rank);
            CollectiveCall begun = rank.world().started().barrier("iBarrier");
            KeptCall second = next(rank);
            assertThat(second).isNotSameAs(first);
            rank.world().await(begun);
            assertThat(next(rank)).isSameAs(second);
            rank.world().release(begun);
            assertThat(next(rank)).isSameAs(first);
        });
    }

    /**
     * Shows that the objects of a failed operation are not reused: what was sent before the failure may still arrive,
     * and a receive that has ended may still report to them.
     */
    @Test
    void shouldNeverUseObjectsAgainWhenTheOperationHasFailed() throws Exception {
        try (LocalRanks ranks = new LocalRanks(2)) {
            ranks.run(rank -> {
                Communicator other = rank.world().creation().dup();
                other.collectives().barrier();
                rank.world().collectives().barrier(); // both have left the other barrier
                KeptCall first = next(rank);
                if (rank.world().rank() == 0) {
                    assertThat(error(other.collectives()::barrier)).isEqualTo(ErrorClass.REVOKED);
                    assertThat(next(rank)).isNotSameAs(first);
                } else {
                    other.recovery().revoke();
                }
                rank.world().collectives().barrier();
            });
        }
    }

    @Test
    void shouldKeepTheObjectsOfAFewCallsOnlyWhenManyThreadsCall() throws Exception {
        new LocalRanks(1).runOnce(rank -> {
            KeptCalls kept = rank.engine().keptCalls();
            List<KeptCall> taken = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                taken.add(kept.take());
            }
            taken.forEach(kept::giveBack);
            Set<KeptCall> again = new HashSet<>(taken);
            int found = 0;
            for (int i = 0; i < 100; i++) {
                found += again.contains(kept.take()) ? 1 : 0;
            }
            assertThat(found).isEqualTo(8);
        });
    }
}
