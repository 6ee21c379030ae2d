package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import org.junit.jupiter.api.Test;

class MPITest {
    @Test
    void shouldMakeDirectBuffersInNativeOrderBeforeInit() {
        assertThat(MPI.newByteBuffer(7).isDirect()).isTrue();
        assertThat(MPI.newByteBuffer(7).order()).isEqualTo(ByteOrder.nativeOrder());
        assertBuffer(MPI.newCharBuffer(7), MPI.newCharBuffer(7).order());
        assertBuffer(MPI.newShortBuffer(7), MPI.newShortBuffer(7).order());
        assertBuffer(MPI.newIntBuffer(7), MPI.newIntBuffer(7).order());
        assertBuffer(MPI.newLongBuffer(7), MPI.newLongBuffer(7).order());
        assertBuffer(MPI.newFloatBuffer(7), MPI.newFloatBuffer(7).order());
        assertBuffer(MPI.newDoubleBuffer(7), MPI.newDoubleBuffer(7).order());
    }

    private static void assertBuffer(java.nio.Buffer buffer, ByteOrder order) {
        assertThat(buffer.isDirect()).isTrue();
        assertThat(buffer.capacity()).isEqualTo(7);
        assertThat(order).isEqualTo(ByteOrder.nativeOrder());
    }

    @Test
    void shouldNameTheCapacityThatIsTooGreat() {
        assertThatThrownBy(() -> MPI.newLongBuffer(1 << 28))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("newLongBuffer: capacity is 268435456; allowed: 0 to 268435455");
        assertThatThrownBy(() -> MPI.newIntBuffer(-1)).hasMessageStartingWith("newIntBuffer: capacity is -1");
    }

    /** A thread without a rank may ask for the time, so that a program can time its own start and its end. */
    @Test
    void shouldTellTheTimeWithoutARank() {
        double beganAt = MPI.wtime();
        assertThat(MPI.wtime()).isBetween(beganAt, beganAt + 60);
    }

    @Test
    void shouldSliceBuffersAndMoveTheirPosition() {
        IntBuffer ints = MPI.newIntBuffer(10);
        ints.position(4).limit(6);

        IntBuffer slice = MPI.slice(ints, 3);
        slice.put(0, 42);

        assertThat(ints.get(3)).isEqualTo(42);
        assertThat(slice.capacity()).isEqualTo(7);
        assertThat(ints.position()).isEqualTo(3);
        assertThat(ints.limit()).isEqualTo(10);
    }

    @Test
    void shouldSliceEveryKindOfBuffer() {
        assertThat(MPI.slice(ByteBuffer.allocate(5).order(ByteOrder.LITTLE_ENDIAN), 2))
                .satisfies(slice -> assertThat(slice.capacity()).isEqualTo(3))
                .satisfies(slice -> assertThat(slice.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN));
        assertThat(MPI.slice(CharBuffer.allocate(5), 2).capacity()).isEqualTo(3);
        assertThat(MPI.slice(ShortBuffer.allocate(5), 2).capacity()).isEqualTo(3);
        assertThat(MPI.slice(LongBuffer.allocate(5), 2).capacity()).isEqualTo(3);
        assertThat(MPI.slice(FloatBuffer.allocate(5), 2).capacity()).isEqualTo(3);
        assertThat(MPI.slice(DoubleBuffer.allocate(5), 2).capacity()).isEqualTo(3);
    }

    @Test
    void shouldSliceArraysWithoutCopying() {
        for (Datatype type : Samples.TYPES) {
            if (type == MPI.BOOLEAN) {
                continue;
            }
            Object array = Samples.array(type, 6);
            java.nio.Buffer slice = Samples.slice(type, array, 4);

            assertThat(slice.capacity()).as("%s", type).isEqualTo(2);
            assertThat(slice.arrayOffset()).as("%s", type).isEqualTo(4);
            assertThat(slice.array()).as("%s", type).isSameAs(array);
        }
    }

    @Test
    void shouldSayThatAThreadWorksForNoRank() {
        assertThatThrownBy(() -> MPI.COMM_WORLD.getRank())
                .isInstanceOf(MPIException.class)
                .hasMessageStartingWith("getRank: call MPI.Init first: thread \""
                        + Thread.currentThread().getName() + "\" works for no rank")
                .hasMessageContaining("MPI.bindThread");
        assertThatThrownBy(() -> MPI.bindThread(() -> {})).isInstanceOf(MPIException.class);
    }

    @Test
    void shouldAnswerBeforeInit() {
        MPI.pControl(1, null);
        assertThat(MPI.isInitialized()).isFalse();
        assertThat(MPI.isFinalized()).isFalse();
        assertThat(MPI.COMM_WORLD.isNull()).isFalse();
        assertThat(MPI.COMM_SELF.isNull()).isFalse();
        assertThat(MPI.getVersion().getVersion()).isEqualTo(MPI.VERSION);
        assertThat(MPI.getVersion().getSubVersion()).isEqualTo(MPI.SUBVERSION);
        assertThat(MPI.getVersion()).hasToString(MPI.VERSION + "." + MPI.SUBVERSION);
        assertThat(MPI.getLibVersion()).startsWith("ULFM for Java");
    }

    @Test
    void shouldNameTheThreadLevelsAllowed() {
        assertThatThrownBy(() -> MPI.InitThread(new String[0], 4))
                .isInstanceOf(MPIException.class)
                .hasMessage("InitThread: required is 4; allowed: MPI.THREAD_SINGLE (0) to MPI.THREAD_MULTIPLE (3)");
    }
}
