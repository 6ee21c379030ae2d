package mpi;

/**
 * The struct of {@link MPI#FLOAT_INT}: a value and an index, as {@link MPI#MINLOC} and {@link MPI#MAXLOC} combine them.
 */
public final class FloatInt extends Struct {
    private static final int INDEX_OFFSET = 4;

    private final int value = addFloat();
    private final int index = setOffset(INDEX_OFFSET).addInt();

    /** Only {@link MPI} makes the one object of this class. */
    FloatInt() {}

    @Override
    Datatype makeType() {
        return MPI.FLOAT_INT;
    }

    @Override
    protected Data newData() {
        return new Data();
    }

    /** A view of one pair in a buffer. */
    public final class Data extends Struct.Data {
        /** Made by {@link Struct#getData}. */
        public Data() {}

        /** Returns the value. */
        public float getValue() {
            return getFloat(value);
        }

        /** Returns the index. */
        public int getIndex() {
            return getInt(index);
        }

        /** Sets the value. */
        public void putValue(float newValue) {
            putFloat(value, newValue);
        }

        /** Sets the index. */
        public void putIndex(int newIndex) {
            putInt(index, newIndex);
        }
    }
}
