package org.ulfmj.rabit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ResultMemoryTest {
    private static final int IDLE_BYTES = 1 << 20;

    private final ResultMemory memory = new ResultMemory(IDLE_BYTES);

    @Test
    void shouldUseABufferAgainWhenItWasGivenBack() {
        for (int bytes : new int[] {0, 1, 64, 65, 4096, 5000, IDLE_BYTES}) {
            ByteBuffer first = memory.take(bytes);
            memory.giveBack(first);

            assertThat(memory.take(bytes)).as("%d bytes", bytes).isSameAs(first);
            assertThat(first.position()).isZero();
            assertThat(first.limit()).isEqualTo(bytes);
        }
    }

    @Test
    void shouldLayShortBuffersSideBySideWithoutOverlap() {
        ByteBuffer first = memory.take(4000);
        ByteBuffer second = memory.take(4096);

        assertThat(second.array()).isSameAs(first.array());
        assertThat(second.arrayOffset() - first.arrayOffset()).isEqualTo(4096);
        assertThat(first.capacity()).isEqualTo(4096);
    }

    @Test
    void shouldGoOnInOtherMemoryWhenOnePieceIsUsedUp() {
        int pieces = 200;
        for (int i = 0; i < pieces; i++) {
            assertThat(memory.take(4096).putInt(0, i).putInt(4092, i).capacity())
                    .isEqualTo(4096);
        }
    }

    @Test
    void shouldNotGiveABufferTwiceWhileItIsInUse() {
        memory.giveBack(memory.take(4096));
        ByteBuffer inUse = memory.take(4096);

        assertThat(memory.take(4096)).isNotSameAs(inUse);
    }

    @Test
    void shouldLeaveABufferToTheCollectorWhenEnoughLieIdle() {
        ByteBuffer idle = memory.take(IDLE_BYTES);
        ByteBuffer tooMuch = memory.take(64);
        memory.giveBack(idle);
        memory.giveBack(tooMuch);

        assertThat(memory.take(64)).isNotSameAs(tooMuch);
        assertThat(memory.take(IDLE_BYTES)).isSameAs(idle);
    }
}
