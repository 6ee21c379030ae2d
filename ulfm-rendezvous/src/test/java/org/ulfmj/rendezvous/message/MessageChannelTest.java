package org.ulfmj.rendezvous.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.transport.auth.RecordKeys;
import org.ulfmj.transport.record.RecordChannel;

class MessageChannelTest {
    /** The channel is connected to itself here, so both directions have the same key. */
    private static final RecordKeys KEYS = new RecordKeys(new byte[16], new byte[16]);

    /**
     * A channel that gives back the bytes that were written to it. Each call reads or writes a random number of bytes,
     * sometimes none.
     */
    private static final class Loop implements ByteChannel {
        final Random random;
        byte[] bytes = new byte[0];
        boolean full;
        boolean ended;

        Loop(long seed) {
            random = new Random(seed);
        }

        @Override
        public int read(ByteBuffer target) {
            if (bytes.length == 0 && ended) {
                return -1;
            }
            int count = Math.min(Math.min(target.remaining(), bytes.length), random.nextInt(6_000));
            target.put(bytes, 0, count);
            bytes = Arrays.copyOfRange(bytes, count, bytes.length);
            return count;
        }

        @Override
        public int write(ByteBuffer source) {
            int count = full ? 0 : Math.min(source.remaining(), random.nextInt(6_000));
            int at = bytes.length;
            bytes = Arrays.copyOf(bytes, at + count);
            source.get(bytes, at, count);
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKeepMessagesWholeAndInOrderHoweverTheyAreCut(boolean areEncrypted) throws IOException {
        for (long seed = 0; seed < 50; seed++) {
            Loop loop = new Loop(seed);
            Random random = new Random(seed);
            MessageChannel messages = areEncrypted
                    ? new MessageChannel(new RecordChannel(KEYS, loop, loop, Long.MAX_VALUE))
                    : new MessageChannel(loop);
            int written = 0;
            int read = 0;
            while (read < 60) {
                if (written < 60 && random.nextBoolean()) {
                    messages.write(body(written++));
                } else {
                    messages.flush();
                }
                for (byte[] body = messages.read(); body != null; body = messages.read()) {
                    assertThat(body).isEqualTo(body(read++));
                }
            }
            assertThat(messages.isFlushed()).isTrue();
        }
    }

    @Test
    void shouldGiveUpAConnectionWhoseKeysHaveServed() throws IOException {
        Loop loop = new Loop(1);
        MessageChannel messages = new MessageChannel(new RecordChannel(KEYS, loop, loop, 1_000));
        messages.write(new byte[500]);
        assertThatThrownBy(() -> {
                    messages.write(new byte[500]);
                    while (!messages.isFlushed()) {
                        messages.flush();
                    }
                    messages.flush();
                })
                .isInstanceOf(IOException.class)
                .hasMessage("this connection has encrypted as much as one pair of keys may");
        assertThat(messages.isFlushed())
                .as("what was written is sent all the same")
                .isTrue();
    }

    private static byte[] body(int number) {
        byte[] body = new byte[1 + number * number * 10];
        Arrays.fill(body, (byte) number);
        return body;
    }

    @Test
    void shouldRefuseLengthsOutOfRangeBeforeAllocating() {
        for (int length : new int[] {0, -1, RendezvousCodec.MAX_MESSAGE_BYTES + 1, Integer.MAX_VALUE}) {
            Loop loop = new Loop(1);
            loop.bytes = new byte[] {(byte) length, (byte) (length >> 8), (byte) (length >> 16), (byte) (length >> 24)};
            MessageChannel messages = new MessageChannel(loop);
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 1_000; i++) {
                            messages.read();
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessage("message of " + length + " bytes, 1 to 4194304 are possible");
        }
    }

    @Test
    void shouldSayThatTheOtherEndClosed() {
        Loop loop = new Loop(1);
        loop.ended = true;
        assertThatThrownBy(new MessageChannel(loop)::read).isInstanceOf(EOFException.class);
    }

    @Test
    void shouldCutOffWhoDoesNotRead() {
        Loop loop = new Loop(1);
        loop.full = true;
        MessageChannel messages = new MessageChannel(loop);
        byte[] megabyte = new byte[1 << 20];
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 65; i++) {
                        messages.write(megabyte);
                    }
                })
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("the other end does not read");
    }
}
