package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ulfmj.testkit.Programs.ints;
import static org.ulfmj.testkit.Programs.raises;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;
import org.junit.jupiter.api.Test;

/**
 * Tests which kinds of buffers non-blocking calls take, and what the program may do with them while the request is
 * under way.
 */
class RequestBuffersTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;

    @Test
    void shouldTakeHeapBuffersSlicesAndBytesForEveryType() {
        Worlds.run(2, (world, rank) -> {
            if (rank == 0) {
                world.iSend(CharBuffer.wrap(new char[] {'a', 'b'}), 2, MPI.CHAR, 1, 0)
                        .waitFor();
                world.iSend(MPI.slice(new int[] {1, 2, 3}, 1), 2, MPI.INT, 1, 1).waitFor();
                world.iSend(CharBuffer.wrap("cd"), 2, MPI.CHAR, 1, 2).waitFor();
            } else {
                CharBuffer text = CharBuffer.wrap(new char[2]);
                world.iRecv(text, 2, MPI.CHAR, 0, 0).waitFor();
                assertThat(text.get(1)).isEqualTo('b');
                int[] array = new int[5];
                world.iRecv(MPI.slice(array, 3), 2, MPI.INT, 0, 1).waitFor();
                assertThat(array).containsExactly(0, 0, 0, 2, 3);
                ByteBuffer bytes = MPI.newByteBuffer(4);
                world.iRecv(bytes, 2, MPI.CHAR, 0, 2).waitFor();
                assertThat(bytes.asCharBuffer().toString()).isEqualTo("cd");
            }
        });
    }

    /**
     * Shows that a non-blocking operation has a separate view of its buffer: the program may change the buffer's
     * position and limit while the operation is under way.
     */
    @Test
    void shouldReceiveWhateverTheProgramDoesToPositionAndLimitMeanwhile() {
        Worlds.run(2, (world, rank) -> {
            if (rank == 0) {
                ByteBuffer bytes = MPI.newByteBuffer(200_000);
                IntBuffer typed = MPI.newIntBuffer(50_000);
                Request first = world.iRecv(bytes, 200_000, MPI.BYTE, 1, 0);
                Request second = world.iRecv(typed, 50_000, MPI.INT, 1, 1);
                bytes.position(5).limit(6);
                typed.limit(0);
                world.send(new int[1], 1, MPI.INT, 1, 2);
                Request.waitAll(new Request[] {first, second});
                bytes.clear();
                typed.clear();
                assertThat(bytes.get(199_999)).isEqualTo((byte) 4);
                assertThat(typed.get(49_999)).isEqualTo(5);
                assertThat(bytes.limit()).isEqualTo(200_000);
            } else {
                world.recv(new int[1], 1, MPI.INT, 0, 2);
                byte[] bytes = new byte[200_000];
                bytes[199_999] = 4;
                int[] typed = new int[50_000];
                typed[49_999] = 5;
                world.send(bytes, bytes.length, MPI.BYTE, 0, 0);
                world.send(typed, typed.length, MPI.INT, 0, 1);
            }
        });
    }

    @Test
    void shouldRefuseBuffersOfNoUseWithAnIllegalArgumentAndEverythingElseByTheErrorHandler() {
        Worlds.run(1, (world, rank) -> {
            IntBuffer one = ints(1);
            refuses(null);
            refuses(MPI.newLongBuffer(1));
            assertThatThrownBy(() -> world.iSend(LongBuffer.allocate(1), 1, MPI.INT, 0, 0))
                    .hasMessage(
                            "iSend: buf is a HeapLongBuffer but its type is MPI.INT; allowed: IntBuffer or ByteBuffer");
            assertThatThrownBy(() -> world.iRecv(one.asReadOnlyBuffer(), 1, MPI.INT, 0, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("iRecv: buf is a read-only buffer");
            assertThatThrownBy(() -> world.iAgree(null)).isInstanceOf(IllegalArgumentException.class);
            raises(MPI.ERR_BUFFER, () -> world.iSend(one, 2, MPI.INT, 0, 0));
            raises(MPI.ERR_RANK, () -> world.iSend(one, 1, MPI.INT, 1, 0));
            raises(MPI.ERR_TAG, () -> world.iSend(one, 1, MPI.INT, 0, -1));
            raises(MPI.ERR_RANK, () -> world.iRecv(one, 1, MPI.INT, 1, 0));
            raises(MPI.ERR_TAG, () -> world.iRecv(one, 1, MPI.INT, 0, -2));
            raises(MPI.ERR_COUNT, () -> world.iRecv(one, -1, MPI.INT, 0, 0));
            raises(MPI.ERR_TYPE, () -> world.iRecv(one, 1, MPI.DATATYPE_NULL, 0, 0));
            raises(MPI.ERR_REQUEST, () -> Request.waitAll(null));
            raises(MPI.ERR_REQUEST, () -> Request.waitAny(new Request[1]));
        });
    }

    private static void refuses(Buffer buffer) {
        assertThatThrownBy(() -> WORLD.iSend(buffer, 1, MPI.INT, 0, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("iSend: buf is ");
    }
}
