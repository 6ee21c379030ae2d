package org.ulfmj.transport.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import org.junit.jupiter.api.Test;

class HandshakeStreamTest {
    /** A channel that gives and takes one byte per call. */
    private static final class Drip implements ByteChannel {
        final ByteBuffer bytes = ByteBuffer.allocate(10_000);
        int readAt;
        boolean ended;

        @Override
        public int read(ByteBuffer target) {
            if (readAt == bytes.position()) {
                return ended ? -1 : 0;
            }
            target.put(bytes.get(readAt++));
            return 1;
        }

        @Override
        public int write(ByteBuffer source) {
            bytes.put(source.get());
            return 1;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    private final Drip channel = new Drip();
    private final HandshakeStream stream = new HandshakeStream(channel);

    @Test
    void shouldReadExactlyOneMessageWhateverFollows() throws IOException, HandshakeException {
        stream.write(new byte[] {1, 2, 3});
        channel.bytes.put((byte) 77);

        assertThat(stream.read()).containsExactly(1, 2, 3);
        assertThat(channel.readAt).isEqualTo(5);
    }

    @Test
    void shouldWaitForTheRestOfAMessage() throws IOException, HandshakeException {
        channel.bytes.put((byte) 2).put((byte) 0).put((byte) 9);
        assertThat(stream.read()).isNull();

        channel.bytes.put((byte) 8);
        assertThat(stream.read()).containsExactly(9, 8);
    }

    @Test
    void shouldRefuseALengthOutOfRange() {
        channel.bytes.put((byte) 0xff).put((byte) 0xff);

        assertThatThrownBy(stream::read).isInstanceOf(HandshakeException.class).hasMessageContaining("65535");
    }

    @Test
    void shouldReportTheEnd() {
        channel.ended = true;

        assertThatThrownBy(stream::read).isInstanceOf(EOFException.class);
    }
}
