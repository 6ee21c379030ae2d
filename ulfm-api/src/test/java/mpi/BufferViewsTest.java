package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.Buffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BufferViewsTest {
    @Test
    void shouldShowTheWholeBufferWhateverItsPositionAndLimit() {
        IntBuffer buffer = IntBuffer.allocate(4);
        buffer.position(1).limit(2);

        Buffer view = BufferViews.of(buffer);

        assertThat(view).isNotSameAs(buffer);
        assertThat(view.position()).isZero();
        assertThat(view.limit()).isEqualTo(4);
        buffer.clear().put(3, 5);
        assertThat(((IntBuffer) view).get(3)).isEqualTo(5);
        assertThat(BufferViews.of(buffer)).isEqualTo(view);
    }

    @Test
    void shouldTellEqualBuffersApart() {
        List<IntBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            buffers.add(IntBuffer.allocate(1));
        }
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < buffers.size(); i++) {
                buffers.get(i).put(0, round * buffers.size() + i);
                assertThat(((IntBuffer) BufferViews.of(buffers.get(i))).get(0)).isEqualTo(round * buffers.size() + i);
            }
        }
    }
}
