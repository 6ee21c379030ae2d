package org.ulfmj.runtime.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ScratchTest {
    private static final int LARGE_BYTES = 20 << 20;

    @Test
    void shouldUseALargeBufferAgain() {
        ByteBuffer first = Scratch.take(LARGE_BYTES);
        Scratch.giveBack(first);
        ByteBuffer again = Scratch.take(LARGE_BYTES - 1000);
        assertThat(again).isSameAs(first);
        assertThat(Scratch.take(LARGE_BYTES)).as("while it is in use").isNotSameAs(first);
        Scratch.giveBack(again);
    }

    @Test
    void shouldGiveBackWhatAScheduleTookThatIsNeverRun() {
        ByteBuffer room = Scratch.take(LARGE_BYTES);
        Scratch.giveBack(room);
        ByteBuffer data = ByteBuffer.allocate(LARGE_BYTES);
        CollectiveSchedule schedule = new AllReduceSchedule(data, data, Long.BYTES, Reductions.ofLongs(Long::sum));
        schedule.prepare(0, 2);
        assertThat(Scratch.take(LARGE_BYTES)).as("while the schedule has it").isNotSameAs(room);
        schedule.discard();
        ByteBuffer again = Scratch.take(LARGE_BYTES);
        assertThat(again).isSameAs(room);
        Scratch.giveBack(again);
    }
}
