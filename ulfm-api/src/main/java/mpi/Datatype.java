package mpi;

/**
 * What a buffer holds (MPI 3.1 section 3.2.2): the constants {@link MPI#BYTE}, {@link MPI#CHAR} (16 bits),
 * {@link MPI#SHORT}, {@link MPI#BOOLEAN} (one byte), {@link MPI#INT}, {@link MPI#LONG} (64 bits), {@link MPI#FLOAT} and
 * {@link MPI#DOUBLE}.
 *
 * <p>A type goes with the primitive array and the {@code java.nio} buffer of its name; a {@link java.nio.ByteBuffer}
 * goes with every type and is then read as bytes in native order. Datatypes are immutable and may be used by all
 * threads.
 */
public final class Datatype {
    private final String name;
    private final BaseType base;

    Datatype(String name, BaseType base) {
        this.name = name;
        this.base = base;
    }

    /**
     * The number of base elements in one item: 1 for the basic types, as in Open MPI's bindings. Not a number of bytes.
     *
     * <p>{@code MPI_Type_size}, MPI 3.1 section 4.1.5.
     *
     * @throws MPIException of class {@link MPI#ERR_TYPE} for {@link MPI#DATATYPE_NULL}
     */
    public int getSize() {
        if (base == null) {
            throw Exceptions.withoutCommunicator("Datatype.getSize", MPI.ERR_TYPE, "MPI.DATATYPE_NULL has no size");
        }
        return 1;
    }

    /** The kind of elements; null for {@link MPI#DATATYPE_NULL}. */
    BaseType base() {
        return base;
    }

    Elements elements() {
        return base.elements;
    }

    /** For example {@code MPI.INT}. */
    @Override
    public String toString() {
        return "MPI." + name;
    }
}
