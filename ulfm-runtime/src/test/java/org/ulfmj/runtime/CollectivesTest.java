package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.ulfmj.runtime.collective.AllReduceSchedule;

class CollectivesTest {
    /**
     * A sum that notes whether the engine lock is held by the thread that asks whether the sum is commutative, which
     * happens when an operation is planned.
     */
    private record Watchful(RankEngine engine, Queue<Boolean> locked) implements PlainReduction {
        @Override
        public void apply(ByteBuffer in, ByteBuffer inout, int count) {
            inout.putLong(0, in.getLong(0) + inout.getLong(0));
        }

        @Override
        public boolean isCommutative() {
            locked.add(engine.lock().isHeldByCurrentThread());
            return true;
        }
    }

    /**
     * Shows that an allReduce is planned outside the engine lock: planning allocates memory for intermediate results,
     * and zeroing that memory may take longer than a heartbeat may be delayed.
     */
    @Test
    void shouldPlanBeforeTheEngineIsEntered() throws Exception {
        Queue<Boolean> locked = new ConcurrentLinkedQueue<>();
        new LocalRanks(2).runOnce(rank -> {
            ByteBuffer sum = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
            sum.putLong(0, 1 + rank.world().rank());
            rank.world()
                    .collectives()
                    .run(new AllReduceSchedule(sum, sum, Long.BYTES, new Watchful(rank.engine(), locked)));
            assertThat(sum.getLong(0)).isEqualTo(3);
        });
        assertThat(locked).isNotEmpty().containsOnly(false);
    }
}
