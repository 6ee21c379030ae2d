package mpi;

/**
 * The struct of {@link MPI#SHORT_INT}: a value and an index, as {@link MPI#MINLOC} and {@link MPI#MAXLOC} combine them.
 */
public final class ShortInt extends Struct {
    private static final int INDEX_OFFSET = 4;

    private final int value = addShort();
    private final int index = setOffset(INDEX_OFFSET).addInt();

    /** Only {@link MPI} makes the one object of this class. */
    ShortInt() {}

    @Override
    Datatype makeType() {
        return MPI.SHORT_INT;
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
        public short getValue() {
            return getShort(value);
        }

        /** Returns the index. */
        public int getIndex() {
            return getInt(index);
        }

        /** Sets the value. */
        public void putValue(short newValue) {
            putShort(value, newValue);
        }

        /** Sets the index. */
        public void putIndex(int newIndex) {
            putInt(index, newIndex);
        }
    }
}
