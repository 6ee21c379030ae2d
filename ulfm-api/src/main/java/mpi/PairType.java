package mpi;

import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;

/** The types of a value and an index, which {@link MPI#MINLOC} and {@link MPI#MAXLOC} combine. */
enum PairType implements Combined {
    INT2(Integer.BYTES) {
        @Override
        int compare(ByteBuffer a, int at, ByteBuffer b, int to) {
            return Integer.signum(Integer.compare(a.getInt(at), b.getInt(to)));
        }
    },
    SHORT_INT(Short.BYTES) {
        @Override
        int compare(ByteBuffer a, int at, ByteBuffer b, int to) {
            return Integer.signum(Integer.compare(a.getShort(at), b.getShort(to)));
        }
    },
    LONG_INT(Long.BYTES) {
        @Override
        int compare(ByteBuffer a, int at, ByteBuffer b, int to) {
            return Integer.signum(Long.compare(a.getLong(at), b.getLong(to)));
        }
    },
    FLOAT_INT(Float.BYTES) {
        @Override
        int compare(ByteBuffer a, int at, ByteBuffer b, int to) {
            float x = a.getFloat(at);
            float y = b.getFloat(to);
            return x < y ? -1 : x > y ? 1 : x == y ? 0 : NAN;
        }

        @Override
        boolean isNan(ByteBuffer a, int at) {
            return Float.isNaN(a.getFloat(at));
        }

        @Override
        int compareBits(ByteBuffer a, int at, ByteBuffer b, int to) {
            return Integer.compare(a.getInt(at), b.getInt(to));
        }
    },
    DOUBLE_INT(Double.BYTES) {
        @Override
        int compare(ByteBuffer a, int at, ByteBuffer b, int to) {
            double x = a.getDouble(at);
            double y = b.getDouble(to);
            return x < y ? -1 : x > y ? 1 : x == y ? 0 : NAN;
        }

        @Override
        boolean isNan(ByteBuffer a, int at) {
            return Double.isNaN(a.getDouble(at));
        }

        @Override
        int compareBits(ByteBuffer a, int at, ByteBuffer b, int to) {
            return Long.compare(a.getLong(at), b.getLong(to));
        }
    };

    /** The result of {@link #compare} if one of the values is a NaN. */
    static final int NAN = 2;

    private static final Set<Operator> OPERATORS = EnumSet.of(Operator.MINLOC, Operator.MAXLOC);

    final int valueBytes;
    private final PairReduction smallest = new PairReduction(this, Operator.MINLOC);
    private final PairReduction largest = new PairReduction(this, Operator.MAXLOC);

    PairType(int valueBytes) {
        this.valueBytes = valueBytes;
    }

    /** Compares two values, each at a place of a buffer in native order: -1, 0, 1 or {@link #NAN}. */
    abstract int compare(ByteBuffer a, int at, ByteBuffer b, int to);

    boolean isNan(ByteBuffer a, int at) {
        return false;
    }

    /**
     * Compares the bits of two values that {@link #compare} finds equal, or that both are NaN; 0 for whole numbers,
     * whose bits are the same then.
     */
    int compareBits(ByteBuffer a, int at, ByteBuffer b, int to) {
        return 0;
    }

    /** The offset of the index in an item in the program's memory: behind the value, where a C struct has it. */
    int indexOffset() {
        return Math.max(valueBytes, Integer.BYTES);
    }

    /** Bytes of an item in a message, where value and index lie side by side. */
    int sizeBytes() {
        return valueBytes + Integer.BYTES;
    }

    @Override
    public TypeMap map() {
        TypeMap[] parts = {TypeMap.basic(valueBytes), TypeMap.basic(Integer.BYTES)};
        return TypeMap.blocks(new int[] {1, 1}, new long[] {0, indexOffset()}, parts)
                .padded();
    }

    @Override
    public PairReduction reduction(Operator operator) {
        return operator == Operator.MINLOC ? smallest : operator == Operator.MAXLOC ? largest : null;
    }

    @Override
    public Set<Operator> operators() {
        return OPERATORS;
    }
}
