package org.ulfmj.runtime.lent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.Payload;
import org.ulfmj.transport.local.LocalHub;

/** Tests which buffers of the program are recognized as lying in lent memory, and at which place. */
class LendingTest {
    private static final int BYTES = 100_000;

    private final Lending lending =
            new Lending(ProcessId.of(0), new LocalHub(2).fabric(0).hostMemory());
    private final ByteBuffer buffer = lending.lend(BYTES);

    /** A message that begins {@code holderOffset} bytes behind the beginning of the buffer {@code holder}. */
    private record Message(Object holder, int holderOffset) implements Payload {
        @Override
        public long lengthBytes() {
            return 0;
        }

        @Override
        public void copyOut(long offset, ByteBuffer target) {}

        @Override
        public void copyIn(long offset, ByteBuffer source) {}
    }

    private long idOf(Object holder) {
        return lending.idOf(new Message(holder, 0));
    }

    private int offsetOf(Object holder, int offset) {
        Message message = new Message(holder, offset);
        return lending.bufferOf(message).offsetOf(message);
    }

    private ByteBuffer slice(ByteBuffer of, int offset) {
        ByteBuffer slice = of.duplicate().position(offset).slice();
        lending.addSlice(of, slice, offset);
        return slice;
    }

    @Test
    void shouldKnowABufferAndItsViews() {
        DoubleBuffer view = buffer.asDoubleBuffer();
        lending.addView(buffer, view);

        assertThat(idOf(buffer)).isNotZero();
        assertThat(idOf(view)).isEqualTo(idOf(buffer));
        assertThat(offsetOf(view, 16)).isEqualTo(16);
    }

    @Test
    void shouldKnowWhereASliceBegins() {
        ByteBuffer slice = slice(buffer, 4096);
        ByteBuffer inner = slice(slice, 104);

        assertThat(idOf(slice)).isEqualTo(idOf(buffer));
        assertThat(offsetOf(slice, 8)).isEqualTo(4104);
        assertThat(idOf(inner)).isEqualTo(idOf(buffer));
        assertThat(offsetOf(inner, 0)).isEqualTo(4200);
    }

    @Test
    void shouldKnowASliceForGoodOnceTwoMessagesLayInIt() {
        ByteBuffer used = slice(buffer, 8);
        ByteBuffer once = slice(buffer, 16);
        assertThat(idOf(used)).isNotZero();
        assertThat(idOf(used)).isNotZero();
        assertThat(idOf(once)).isNotZero();
        List<ByteBuffer> others = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            others.add(slice(buffer, 24));
        }

        assertThat(idOf(used)).isEqualTo(idOf(buffer));
        assertThat(offsetOf(used, 0)).isEqualTo(8);
        assertThat(idOf(once))
                .as("a slice that " + others.size() + " others have pushed out")
                .isZero();
    }

    /**
     * Shows that a hundred slices of a lent buffer are recognized, as those for the neighbours of a grid, which are
     * made at the beginning and used later.
     */
    @Test
    void shouldKnowAHundredSlicesUntilTheyAreUsed() {
        List<ByteBuffer> slices = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            slices.add(slice(buffer, 8 * i));
        }

        for (int i = 0; i < 100; i++) {
            assertThat(idOf(slices.get(i))).as("slice " + i).isNotZero();
            assertThat(offsetOf(slices.get(i), 0)).isEqualTo(8 * i);
        }
    }

    /** Shows that a view which the library makes of the program's slice, for a non-blocking call, is recognized. */
    @Test
    void shouldKnowAViewOfASlice() {
        ByteBuffer slice = slice(buffer, 4096);
        ByteBuffer view = slice.duplicate();
        lending.addView(slice, view);

        assertThat(idOf(view)).isEqualTo(idOf(buffer));
        assertThat(offsetOf(view, 8)).isEqualTo(4104);
    }

    @Test
    void shouldKnowNothingOfOtherMemory() {
        ByteBuffer other = ByteBuffer.allocateDirect(BYTES);
        ByteBuffer slice = slice(other, 8);
        ByteBuffer unnoted = buffer.duplicate().position(8).slice();

        assertThat(idOf(other)).isZero();
        assertThat(idOf(slice)).isZero();
        assertThat(idOf(unnoted)).isZero();
        assertThat(idOf(new byte[8])).isZero();
    }
}
