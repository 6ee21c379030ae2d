package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.Random;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;
import org.junit.jupiter.api.Test;

/**
 * Tests messages from direct buffers that class {@code MPI} makes: the receiver may copy long ones directly from the
 * sender's buffer.
 */
class LentMessagesTest {
    private static final int LARGEST = 1 << 20;

    @Test
    void shouldDeliverMessagesOfAnyLength() {
        Worlds.run(2, (world, rank) -> {
            ByteBuffer out = MPI.newByteBuffer(LARGEST);
            byte[] in = new byte[LARGEST];
            for (int bytes : new int[] {1, 16_383, 16_384, 65_535, 65_536, 65_537, 300_001, LARGEST}) {
                fill(out, bytes);
                if (rank == 0) {
                    world.send(out, bytes, MPI.BYTE, 1, 0);
                } else {
                    Status status = world.recv(in, LARGEST, MPI.BYTE, 0, 0);
                    assertThat(status.getCount(MPI.BYTE)).isEqualTo(bytes);
                    assertAll(in, bytes, bytes);
                }
            }
        });
    }

    @Test
    void shouldDeliverElementsOfATypedBuffer() {
        Worlds.run(2, (world, rank) -> {
            DoubleBuffer numbers = MPI.newDoubleBuffer(50_000);
            if (rank == 0) {
                for (int i = 0; i < numbers.capacity(); i++) {
                    numbers.put(i, i / 3.0);
                }
                world.send(numbers, numbers.capacity(), MPI.DOUBLE, 1, 0);
            } else {
                world.recv(numbers, numbers.capacity(), MPI.DOUBLE, 0, 0);
                for (int i = 0; i < numbers.capacity(); i++) {
                    assertThat(numbers.get(i)).isEqualTo(i / 3.0);
                }
            }
        });
    }

    /**
     * A message from one slice of a lent buffer to another: the receiver reads the bytes at the position of the
     * sender's slice, and writes only into its own slice.
     */
    @Test
    void shouldDeliverMessagesFromSliceToSlice() {
        Worlds.run(2, (world, rank) -> {
            byte[] content = new byte[LARGEST];
            new Random(7).nextBytes(content);
            ByteBuffer whole = MPI.newByteBuffer(LARGEST + 5_000);
            ByteBuffer slice = MPI.slice(MPI.slice(whole, 1_000), 1_048);
            for (int bytes : new int[] {16_384, 65_537, 300_001, LARGEST}) {
                fill(whole, -1);
                if (rank == 0) {
                    slice.put(0, content);
                    world.send(slice, bytes, MPI.BYTE, 1, 0);
                } else {
                    world.recv(slice, bytes, MPI.BYTE, 0, 0);
                    ByteBuffer expected = ByteBuffer.allocate(whole.capacity());
                    fill(expected, -1);
                    expected.put(2_048, content, 0, bytes);
                    assertThat(whole.clear().equals(expected))
                            .as("slice and the bytes around it")
                            .isTrue();
                }
            }
        });
    }

    /** A send up to the eager limit does not wait for its receive, and its buffer is the program's again afterwards. */
    @Test
    void shouldNotWaitForTheReceiveOfAMessageThatMayGoWhole() {
        Worlds.run(2, (world, rank) -> {
            ByteBuffer data = MPI.newByteBuffer(65_536);
            for (int round = 0; round < 20; round++) {
                if (rank == 0) {
                    fill(data, round);
                    world.send(data, data.capacity(), MPI.BYTE, 1, 0);
                    fill(data, -1);
                    world.send(data, 0, MPI.BYTE, 1, 1);
                } else {
                    world.recv(data, 0, MPI.BYTE, 0, 1);
                    byte[] in = new byte[data.capacity()];
                    world.recv(in, in.length, MPI.BYTE, 0, 0);
                    assertAll(in, in.length, round);
                }
            }
        });
    }

    /**
     * Shows that the receiver gets the right bytes although the sender overwrites the lent buffer as soon as its send
     * is complete, when the receiver may still be copying.
     */
    @Test
    void shouldNotMixWhatIsWrittenAfterwardsIntoAMessage() {
        Worlds.run(2, (world, rank) -> {
            ByteBuffer data = MPI.newByteBuffer(65_536);
            byte[] in = new byte[data.capacity()];
            byte[] rightBytes = new byte[data.capacity()];
            byte[] wrongBytes = new byte[data.capacity()];
            Arrays.fill(wrongBytes, (byte) -1);
            Random random = new Random(rank);
            for (int round = 0; round < 3000; round++) {
                world.barrier();
                Arrays.fill(rightBytes, (byte) (round & 0x7f));
                if (rank == 0) {
                    data.put(0, rightBytes);
                    Request sent = world.iSend(data, data.capacity(), MPI.BYTE, 1, 0);
                    sent.waitFor();
                    data.put(0, wrongBytes);
                } else {
                    compute(15_000 + random.nextInt(15_000));
                    world.recv(in, in.length, MPI.BYTE, 0, 0);
                    assertThat(Arrays.mismatch(in, rightBytes)).isEqualTo(-1);
                }
            }
        });
    }

    @Test
    void shouldSayThatAMessageWasTooLongForItsReceive() {
        Worlds.run(2, (world, rank) -> {
            ByteBuffer data = MPI.newByteBuffer(LARGEST);
            if (rank == 0) {
                fill(data, 3);
                world.send(data, LARGEST, MPI.BYTE, 1, 0);
            } else {
                byte[] in = new byte[LARGEST];
                MPIException tooLong =
                        catchThrowableOfType(MPIException.class, () -> world.recv(in, 100_000, MPI.BYTE, 0, 0));
                assertThat(tooLong.getErrorClass()).isEqualTo(MPI.ERR_TRUNCATE);
                assertAll(in, 100_000, 3);
                assertThat(in[100_000]).isZero();
            }
        });
    }

    @Test
    void shouldLetASynchronousSendWaitForItsReceive() {
        Worlds.run(2, (world, rank) -> {
            ByteBuffer data = MPI.newByteBuffer(65_536);
            if (rank == 0) {
                fill(data, 9);
                Request sent = world.isSend(data, data.capacity(), MPI.BYTE, 1, 0);
                long untilNs = System.nanoTime() + 600_000;
                while (System.nanoTime() < untilNs) {
                    assertThat(sent.test()).isFalse();
                }
                world.send(data, 0, MPI.BYTE, 1, 1);
                sent.waitFor();
            } else {
                byte[] in = new byte[data.capacity()];
                world.recv(in, 0, MPI.BYTE, 0, 1);
                world.recv(in, in.length, MPI.BYTE, 0, 0);
                assertAll(in, in.length, 9);
            }
        });
    }

    private static void fill(ByteBuffer data, int value) {
        for (int at = 0; at < data.capacity(); at++) {
            data.put(at, (byte) value);
        }
    }

    private static void assertAll(byte[] data, int count, int value) {
        for (int at = 0; at < count; at++) {
            if (data[at] != (byte) value) {
                assertThat(data[at]).as("byte %d", at).isEqualTo((byte) value);
            }
        }
    }

    private static void compute(int ns) {
        long untilNs = System.nanoTime() + ns;
        while (System.nanoTime() < untilNs) {
            Thread.onSpinWait();
        }
    }
}
