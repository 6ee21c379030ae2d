package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;

/**
 * A view of one complex number of {@link MPI#DOUBLE_COMPLEX} in a buffer or array: a real and an imaginary part, side
 * by side. What is put into the view is in the buffer at once. A view belongs to one thread.
 */
public final class DoubleComplex {
    private final DoubleBuffer given;
    private final DoubleBuffer numbers;
    private final int at;

    private DoubleComplex(DoubleBuffer buffer, int index) {
        given = buffer;
        numbers = buffer.duplicate().clear();
        long place = 2L * index;
        if (index < 0 || place + 2 > numbers.capacity()) {
            throw Exceptions.withoutCommunicator(
                    "DoubleComplex.get",
                    MPI.ERR_BUFFER,
                    "index is " + index + " and the buffer holds " + numbers.capacity() / 2
                            + " complex numbers; allowed: a number within the buffer");
        }
        at = (int) place;
    }

    private static <T> T existing(T buffer) {
        if (buffer == null) {
            throw Exceptions.withoutCommunicator(
                    "DoubleComplex.get",
                    MPI.ERR_BUFFER,
                    "the buffer is null; allowed: a DoubleBuffer, a ByteBuffer or a double[]");
        }
        return buffer;
    }

    /** Returns a view of the first number in a buffer; as {@link #get(DoubleBuffer, int)}. */
    public static DoubleComplex get(DoubleBuffer buffer) {
        return get(buffer, 0);
    }

    /**
     * Returns a view of number {@code index} in a buffer. The buffer's position does not count.
     *
     * @throws MPIException of class {@link MPI#ERR_BUFFER} if the buffer is null or does not hold that number
     */
    public static DoubleComplex get(DoubleBuffer buffer, int index) {
        return new DoubleComplex(existing(buffer), index);
    }

    /** Returns a view of the first number in an array; as {@link #get(DoubleBuffer, int)}. */
    public static DoubleComplex get(double[] array) {
        return get(array, 0);
    }

    /** Returns a view of number {@code index} in an array; as {@link #get(DoubleBuffer, int)}. */
    public static DoubleComplex get(double[] array, int index) {
        return get(DoubleBuffer.wrap(existing(array)), index);
    }

    /** Returns a view of the first number in a buffer; as {@link #get(ByteBuffer, int)}. */
    public static DoubleComplex get(ByteBuffer buffer) {
        return get(buffer, 0);
    }

    /**
     * Returns a view of number {@code index} in a buffer of bytes in native order. The buffer's position and byte order
     * do not count.
     *
     * @throws MPIException of class {@link MPI#ERR_BUFFER} if the buffer is null or does not hold that number
     */
    public static DoubleComplex get(ByteBuffer buffer, int index) {
        ByteBuffer bytes = existing(buffer).duplicate().clear().order(ByteOrder.nativeOrder());
        return get(bytes.asDoubleBuffer(), index);
    }

    /** Returns the real part. */
    public double getReal() {
        return numbers.get(at);
    }

    /** Returns the imaginary part. */
    public double getImag() {
        return numbers.get(at + 1);
    }

    /** Sets the real part. */
    public void putReal(double real) {
        numbers.put(at, real);
    }

    /** Sets the imaginary part. */
    public void putImag(double imag) {
        numbers.put(at + 1, imag);
    }

    /**
     * Returns a buffer that has the number: if it is number 0, the {@code DoubleBuffer} that the view was made of, as
     * it is, or one that shares the content of the array or {@code ByteBuffer}; else a slice that begins at the
     * number's real part.
     */
    public DoubleBuffer getBuffer() {
        return at == 0 ? given : numbers.slice(at, numbers.capacity() - at);
    }
}
