package mpi;

/**
 * The struct of {@link MPI#LONG_INT}: a value and an index, as {@link MPI#MINLOC} and {@link MPI#MAXLOC} combine them.
 */
public final class LongInt extends Struct {
    private static final int INDEX_OFFSET = 8;

    private final int value = addLong();
    private final int index = setOffset(INDEX_OFFSET).addInt();

    /** Only {@link MPI} makes the one object of this class. */
    LongInt() {}

    @Override
    Datatype makeType() {
        return MPI.LONG_INT;
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
        public long getValue() {
            return getLong(value);
        }

        /** Returns the index. */
        public int getIndex() {
            return getInt(index);
        }

        /** Sets the value. */
        public void putValue(long newValue) {
            putLong(value, newValue);
        }

        /** Sets the index. */
        public void putIndex(int newIndex) {
            putInt(index, newIndex);
        }
    }
}
