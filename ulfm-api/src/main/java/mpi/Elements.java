package mpi;

import java.nio.ByteBuffer;
import java.util.Set;

/**
 * Everything that depends on the kind of a basic element: which arrays and buffers hold it, how it is copied to and
 * from bytes in native order, and the loops of the predefined operators.
 *
 * <p>The loops run on two heap arrays, one method per type and operator: every compiler that was tried turns this form
 * into vector code. Objects of this class are stateless and shared by all threads.
 */
abstract class Elements {
    /** What {@link #capacity} says of an object that does not hold such elements. */
    static final int WRONG_TYPE = -1;

    /** Up to this many elements a loop is cheaper than making a typed view, and allocates nothing. */
    static final int ELEMENT_WISE = 16;

    final String name;
    final int sizeBytes;
    private final Set<Operator> operators;

    Elements(String name, int sizeBytes, Set<Operator> operators) {
        this.name = name;
        this.sizeBytes = sizeBytes;
        this.operators = operators;
    }

    /** Elements that an array or a typed buffer holds, or {@link #WRONG_TYPE}. Position and limit do not count. */
    abstract int capacity(Object buffer);

    abstract Object newArray(int length);

    /** Appends {@code count} elements of {@code from}, from element {@code at} on, to a target of native order. */
    abstract void write(Object from, int at, ByteBuffer target, int count);

    /** Takes {@code count} elements from a source of native order into {@code into}, from element {@code at} on. */
    abstract void read(Object into, int at, ByteBuffer source, int count);

    /** {@code inout[i] = in[i] op inout[i]} for the first {@code count} elements of two arrays of this kind. */
    abstract void combine(Operator operator, Object in, Object inout, int count);

    final boolean allows(Operator operator) {
        return operators.contains(operator);
    }

    final Set<Operator> operators() {
        return operators;
    }

    final IllegalStateException illegal(Operator operator) {
        return new IllegalStateException(operator + " was let through for elements of " + name);
    }
}
