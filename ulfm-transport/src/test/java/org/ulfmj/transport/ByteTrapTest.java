package org.ulfmj.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import org.junit.jupiter.api.Test;

class ByteTrapTest {
    /** In the place of the process's end. */
    private static final class Sprung extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private static ByteTrap trapAt(long byteNumber) {
        return new ByteTrap(byteNumber, () -> {
            throw new Sprung();
        });
    }

    @Test
    void shouldLetTheBytesBeforeTheLastOneOutAndNoMore() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        WritableByteChannel channel = Channels.newChannel(out);
        ByteTrap trap = trapAt(7);

        ByteBuffer first = ByteBuffer.wrap(new byte[] {1, 2, 3, 4});
        trap.write(channel, first);
        assertThat(first.hasRemaining()).isFalse();
        assertThatThrownBy(() -> trap.write(channel, ByteBuffer.wrap(new byte[] {5, 6, 7, 8, 9})))
                .isInstanceOf(Sprung.class);

        assertThat(out.toByteArray()).containsExactly(1, 2, 3, 4, 5, 6, 7);
    }

    @Test
    void shouldRefuseToSpringBeforeTheFirstByte() {
        assertThatThrownBy(() -> trapAt(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lastByte (0) must be at least 1");
    }
}
