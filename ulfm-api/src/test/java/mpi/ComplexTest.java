package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import org.junit.jupiter.api.Test;

/** Tests views of complex numbers in arrays, in typed buffers and in byte buffers. */
class ComplexTest {
    @Test
    void shouldViewFloatsInBuffersAndArrays() {
        float[] array = {1, 2, 3, 4};
        FloatComplex first = FloatComplex.get(array);
        FloatComplex second = FloatComplex.get(array, 1);
        assertThat(first.getReal()).isEqualTo(1);
        assertThat(second.getImag()).isEqualTo(4);
        first.putImag(-2.5f);
        second.putReal(-3.5f);
        assertThat(array).containsExactly(1, -2.5f, -3.5f, 4);

        FloatBuffer numbers = MPI.newFloatBuffer(4).put(array).position(1);
        assertThat(FloatComplex.get(numbers).getReal()).isEqualTo(1);
        FloatComplex last = FloatComplex.get(numbers, 1);
        assertThat(last.getReal()).isEqualTo(-3.5f);
        last.putImag(9);
        assertThat(numbers.get(3)).isEqualTo(9);
        assertThat(FloatComplex.get(numbers).getBuffer()).isSameAs(numbers);
        assertThat(last.getBuffer().capacity()).isEqualTo(2);
        assertThat(last.getBuffer().get(0)).isEqualTo(-3.5f);

        ByteBuffer bytes = MPI.newByteBuffer(4 * 4);
        FloatComplex.get(bytes).putReal(5);
        FloatComplex.get(bytes, 1).putImag(6);
        assertThat(bytes.getFloat(0)).isEqualTo(5);
        assertThat(bytes.getFloat(3 * 4)).isEqualTo(6);
        assertThat(FloatComplex.get(bytes, 1).getImag()).isEqualTo(6);

        for (int index : new int[] {-1, 2}) {
            MPIException thrown = catchThrowableOfType(MPIException.class, () -> FloatComplex.get(array, index));
            assertThat(thrown).hasMessageContaining("index is " + index);
            assertThat(thrown.getErrorClass()).isEqualTo(MPI.ERR_BUFFER);
        }
        MPIException none = catchThrowableOfType(MPIException.class, () -> FloatComplex.get((float[]) null));
        assertThat(none.getErrorClass()).isEqualTo(MPI.ERR_BUFFER);
    }

    @Test
    void shouldViewDoublesInBuffersAndArrays() {
        double[] array = {1, 2, 3, 4};
        DoubleComplex first = DoubleComplex.get(array);
        DoubleComplex second = DoubleComplex.get(array, 1);
        assertThat(first.getReal()).isEqualTo(1);
        assertThat(second.getImag()).isEqualTo(4);
        first.putImag(-2.5);
        second.putReal(-3.5);
        assertThat(array).containsExactly(1, -2.5, -3.5, 4);

        DoubleBuffer numbers = MPI.newDoubleBuffer(4).put(array).position(1);
        assertThat(DoubleComplex.get(numbers).getReal()).isEqualTo(1);
        DoubleComplex last = DoubleComplex.get(numbers, 1);
        assertThat(last.getReal()).isEqualTo(-3.5);
        last.putImag(9);
        assertThat(numbers.get(3)).isEqualTo(9);
        assertThat(DoubleComplex.get(numbers).getBuffer()).isSameAs(numbers);
        assertThat(last.getBuffer().capacity()).isEqualTo(2);
        assertThat(last.getBuffer().get(0)).isEqualTo(-3.5);

        ByteBuffer bytes = MPI.newByteBuffer(4 * 8);
        DoubleComplex.get(bytes).putReal(5);
        DoubleComplex.get(bytes, 1).putImag(6);
        assertThat(bytes.getDouble(0)).isEqualTo(5);
        assertThat(bytes.getDouble(3 * 8)).isEqualTo(6);
        assertThat(DoubleComplex.get(bytes, 1).getImag()).isEqualTo(6);

        for (int index : new int[] {-1, 2}) {
            MPIException thrown = catchThrowableOfType(MPIException.class, () -> DoubleComplex.get(array, index));
            assertThat(thrown).hasMessageContaining("index is " + index);
            assertThat(thrown.getErrorClass()).isEqualTo(MPI.ERR_BUFFER);
        }
        MPIException none = catchThrowableOfType(MPIException.class, () -> DoubleComplex.get((double[]) null));
        assertThat(none.getErrorClass()).isEqualTo(MPI.ERR_BUFFER);
    }
}
