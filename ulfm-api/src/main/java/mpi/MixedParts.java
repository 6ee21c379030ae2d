package mpi;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.error.ErrorClass;

/**
 * A buffer argument of a collective in which the part of each rank has a separate datatype, at a displacement in bytes.
 * {@link #outgoing} and {@link #incoming} check the argument and throw if it is not allowed.
 */
record MixedParts(String countName, Object buffer, int size, int[] counts, int[] displacements, Datatype[] types) {
    /** Checks a buffer that the call reads. */
    static MixedParts outgoing(
            CommState comm,
            String operation,
            String name,
            Object buffer,
            String countName,
            int[] counts,
            String displsName,
            int[] displs,
            String typesName,
            Datatype[] types) {
        int size = comm.communicator().peers();
        Arguments.counts(comm, operation, countName, counts, size);
        Arguments.displacements(comm, operation, displsName, displs, size);
        if (types == null || types.length < size) {
            throw comm.bad(
                    ErrorClass.TYPE,
                    operation,
                    typesName + (types == null ? " is null" : " has " + types.length + " elements")
                            + "; allowed: one for each of the " + size + " ranks");
        }
        long total = 0;
        for (int rank = 0; rank < size; rank++) {
            Datatype type = types[rank];
            Arguments.type(comm, operation, name + " for rank " + rank, type);
            if (counts[rank] > 0 && type.sizeBytes() != 0) {
                String count = countName + "[" + rank + "]";
                Arguments.someOf(comm, operation, name, buffer, count, counts[rank], type);
                place(
                        comm,
                        operation,
                        name,
                        buffer,
                        count,
                        counts[rank],
                        displsName + "[" + rank + "]",
                        displs[rank],
                        type);
                total += (long) counts[rank] * type.sizeBytes();
            }
        }
        if (total > Integer.MAX_VALUE) {
            throw comm.bad(
                    ErrorClass.COUNT,
                    operation,
                    countName + " stands for " + total + " bytes in all; allowed: up to " + Integer.MAX_VALUE
                            + " bytes");
        }
        return new MixedParts(countName, buffer, size, counts, displs, types);
    }

    /** Checks a buffer that the call writes. */
    static MixedParts incoming(
            CommState comm,
            String operation,
            String name,
            Object buffer,
            String countName,
            int[] counts,
            String displsName,
            int[] displs,
            String typesName,
            Datatype[] types) {
        MixedParts checked =
                outgoing(comm, operation, name, buffer, countName, counts, displsName, displs, typesName, types);
        for (int rank = 0; rank < checked.size; rank++) {
            Arguments.writable(comm, operation, name, buffer, counts[rank]);
        }
        Overlap overlap = Overlap.of(checked.size, checked::begin, checked::certainEnd);
        if (overlap != null) {
            throw Arguments.overlapping(comm, operation, name, countName, counts, displsName, displs, overlap);
        }
        return checked;
    }

    /** The first byte of a part. */
    private long begin(int rank) {
        return displacements[rank] + types[rank].map().trueLower;
    }

    /**
     * The end of the bytes that a part certainly covers, as the byte behind them. Of a type with gaps only the part's
     * first byte is certain.
     */
    private long certainEnd(int rank) {
        if (lengthBytes(rank) == 0) {
            return begin(rank);
        }
        return begin(rank) + (types[rank].map().isContiguous() ? lengthBytes(rank) : 1);
    }

    private static void place(
            CommState comm,
            String operation,
            String name,
            Object buffer,
            String countName,
            int count,
            String displsName,
            int at,
            Datatype type) {
        int elementBytes = buffer instanceof ByteBuffer ? 1 : type.elements().sizeBytes;
        if (at % elementBytes != 0) {
            throw comm.bad(
                    ErrorClass.TYPE,
                    operation,
                    displsName + " is " + at + " bytes but " + name + " has elements of " + elementBytes
                            + " bytes; allowed: a multiple of that, or a ByteBuffer");
        }
        if (!type.map().fitsAt(at, count, Arguments.memoryBytes(buffer, type))) {
            long bytes = Arguments.memoryBytes(buffer, type);
            throw comm.bad(
                    ErrorClass.BUFFER,
                    operation,
                    name + " holds " + bytes + " bytes but " + displsName + " is " + at + " and " + countName + " is "
                            + count + " of " + type + "; allowed: parts within 0 to " + bytes);
        }
    }

    /** The part of a rank, for messages. */
    Arguments.Part part(int rank) {
        return new Arguments.Part(countName + "[" + rank + "]", counts[rank], types[rank]);
    }

    int lengthBytes(int rank) {
        return counts[rank] * types[rank].sizeBytes();
    }

    /** The part of a rank as a message: where its items lie in the program's buffer. */
    Strided payload(int rank) {
        Shape shape = types[rank].map().items(0, counts[rank]).movedBy(displacements[rank]);
        return new Strided(buffer, types[rank].elements(), shape);
    }
}
