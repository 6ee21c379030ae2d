package mpi;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;

/**
 * Checks of the arguments of one call, before anything is sent. An error's message names the argument, says what is
 * wrong with it and what is allowed. Without state.
 */
final class Arguments {
    private Arguments() {}

    /** Checks a rank to send to. */
    static void destination(CommState comm, String operation, String name, int rank) {
        int size = comm.communicator().peers();
        if ((rank < 0 || rank >= size) && rank != MPI.PROC_NULL) {
            throw comm.bad(
                    ErrorClass.RANK,
                    operation,
                    name + " is " + rank + "; allowed: 0 to " + (size - 1) + ", or MPI.PROC_NULL");
        }
    }

    /** Checks a rank to receive from. */
    static void source(CommState comm, String operation, String name, int rank) {
        int size = comm.communicator().peers();
        if ((rank < 0 || rank >= size) && rank != MPI.PROC_NULL && rank != MPI.ANY_SOURCE) {
            throw comm.bad(
                    ErrorClass.RANK,
                    operation,
                    name + " is " + rank + "; allowed: 0 to " + (size - 1) + ", MPI.ANY_SOURCE or MPI.PROC_NULL");
        }
    }

    static void sendTag(CommState comm, String operation, String name, int tag) {
        if (tag < 0) {
            throw comm.bad(ErrorClass.TAG, operation, name + " is " + tag + "; allowed: 0 to " + Integer.MAX_VALUE);
        }
    }

    static void receiveTag(CommState comm, String operation, String name, int tag) {
        if (tag < 0 && tag != MPI.ANY_TAG) {
            throw comm.bad(
                    ErrorClass.TAG,
                    operation,
                    name + " is " + tag + "; allowed: 0 to " + Integer.MAX_VALUE + ", or MPI.ANY_TAG");
        }
    }

    static void notNull(CommState comm, String operation, String name, Object value, String allowed) {
        if (value == null) {
            throw comm.bad(ErrorClass.ARG, operation, name + " is null; allowed: " + allowed);
        }
    }

    /** Checks an info object, which may be {@link MPI#INFO_NULL}. */
    static void hints(CommState comm, String operation, Info info) {
        if (info == null || info != MPI.INFO_NULL && info.isNull()) {
            throw comm.bad(
                    ErrorClass.INFO,
                    operation,
                    "info " + (info == null ? "is null" : "was freed") + "; allowed: an Info, or MPI.INFO_NULL");
        }
    }

    /**
     * Checks that a sendRecv does not use the same buffer object to send and to receive: what arrives early would be
     * sent instead of what the program wrote. Types with gaps may name separate elements of one buffer, so they are not
     * checked; nor are two objects that are views of the same memory. The same array for both is allowed
     * ({@link PointToPoint}).
     */
    static void separate(CommState comm, String operation, Half send, Half receive) {
        if (send.isOneBufferWith(receive) && send.type.isPlain() && receive.type.isPlain()) {
            throw comm.bad(
                    ErrorClass.BUFFER,
                    operation,
                    "sendbuf and recvbuf are one object, " + kind(send.buf)
                            + "; allowed: buffers that do not overlap, or sendRecvReplace with one");
        }
    }

    static void acknowledged(CommState comm, int count) {
        int size = comm.communicator().members().size();
        if (count < 0 || count > size) {
            throw comm.bad(ErrorClass.ARG, "ackFailed", "count is " + count + "; allowed: 0 to " + size);
        }
    }

    static void flag(CommState comm, int[] flag) {
        if (flag == null || flag.length != 1) {
            throw comm.bad(
                    ErrorClass.ARG,
                    "agree",
                    "flag " + (flag == null ? "is null" : "has " + flag.length + " elements") + "; allowed: 1 element");
        }
    }

    static void colour(CommState comm, int colour) {
        if (colour < 0 && colour != MPI.UNDEFINED) {
            throw comm.bad(
                    ErrorClass.ARG,
                    "split",
                    "colour is " + colour + "; allowed: 0 to " + Integer.MAX_VALUE + ", or MPI.UNDEFINED");
        }
    }

    /**
     * Checks that {@code i} is an index of one of {@code count} entries, such as the dimensions of a grid or the edges
     * of a graph, and returns it.
     */
    static int entry(String call, int i, int count) {
        if (i < 0 || i >= count) {
            String allowed = count == 0 ? "none, since there are no entries" : "0 to " + (count - 1);
            throw Exceptions.withoutCommunicator(call, MPI.ERR_ARG, "i is " + i + "; allowed: " + allowed);
        }
        return i;
    }

    /** Checks the type of a buffer's items. */
    static void type(CommState comm, String operation, String buffer, Datatype type) {
        if (type == null || !type.isUsable()) {
            throw comm.bad(ErrorClass.TYPE, operation, "the type of " + buffer + " is " + type + unusable(type));
        }
    }

    private static String unusable(Datatype type) {
        if (type == null || type.base() == null) {
            return "; allowed: a datatype such as MPI.INT";
        }
        return type.isNull()
                ? ", which was freed; allowed: a datatype that was not"
                : ", which is not committed; allowed: a datatype after commit()";
    }

    /** Checks a type that need not be committed. */
    static void existing(CommState comm, String operation, String name, Datatype type) {
        if (type == null || type.isNull()) {
            throw comm.bad(ErrorClass.TYPE, operation, name + " is " + type + unusable(type));
        }
    }

    /** Checks an operator, and that it combines items of the type. The type itself was checked before. */
    static void operator(CommState comm, String operation, Op op, Datatype type) {
        if (op == null) {
            throw comm.bad(ErrorClass.OP, operation, "op is null; allowed: an operator such as MPI.SUM");
        }
        if (op.isNull()) {
            throw comm.bad(ErrorClass.OP, operation, "op was freed; allowed: an operator that was not");
        }
        if (op.reduction(type) == null) {
            throw comm.bad(ErrorClass.OP, operation, notCombinable(op, type));
        }
    }

    static String notCombinable(Op op, Datatype type) {
        return "op " + op + " does not combine items of type " + type + "; allowed for it: " + type.operators();
    }

    static void count(CommState comm, String operation, String name, int count) {
        if (count < 0) {
            throw comm.bad(ErrorClass.COUNT, operation, name + " is " + count + "; allowed: 0 to " + Integer.MAX_VALUE);
        }
    }

    /**
     * Checks an array of counts: at least one for each of {@code size} ranks, of which none is negative; the array may
     * be longer.
     */
    static void counts(CommState comm, String operation, String name, int[] counts, int size) {
        if (counts == null || counts.length < size) {
            throw comm.bad(ErrorClass.COUNT, operation, lengthOf(name, counts, size));
        }
        for (int rank = 0; rank < size; rank++) {
            if (counts[rank] < 0) {
                count(comm, operation, name + "[" + rank + "]", counts[rank]);
            }
        }
    }

    /** Checks that there is a displacement for each of {@code size} ranks; the array may be longer. */
    static int[] displacements(CommState comm, String operation, String name, int[] displs, int size) {
        if (displs == null || displs.length < size) {
            throw comm.bad(ErrorClass.ARG, operation, lengthOf(name, displs, size));
        }
        return displs;
    }

    private static String lengthOf(String name, int[] array, int size) {
        return name + " " + (array == null ? "is null" : "has " + array.length + " elements")
                + "; allowed: one for each of the " + size + " ranks";
    }

    /**
     * Checks that each part with at least one item lies within the buffer. That the buffer is of the right kind was
     * checked before.
     */
    static void parts(
            CommState comm,
            String operation,
            String name,
            Object buffer,
            Datatype type,
            String countName,
            String displsName,
            Layout parts) {
        long capacity = capacity(buffer, type);
        for (int rank = 0; rank < parts.size(); rank++) {
            int count = parts.count(rank);
            int at = parts.at(rank);
            boolean isInside = type.isPlain()
                    ? at >= 0 && (long) at + count <= capacity
                    : type.map().fits(at, count, memoryBytes(buffer, type));
            if (count > 0 && !isInside) {
                throw comm.bad(
                        ErrorClass.BUFFER,
                        operation,
                        name + " holds " + capacity + " items but " + displsName + "[" + rank + "] is " + at + " and "
                                + countName + "[" + rank + "] is " + count + "; allowed: parts within 0 to "
                                + capacity);
            }
        }
    }

    /**
     * Checks that no two parts of a buffer that is written have an item in common. Items of a type with gaps may lie in
     * the gaps of others. Parts of a type without bytes are not checked.
     */
    static void disjoint(
            CommState comm,
            String operation,
            String name,
            Datatype type,
            String countName,
            String displsName,
            Layout parts) {
        Overlap overlap = type.sizeBytes() == 0 ? null : parts.overlap();
        if (overlap != null) {
            throw overlapping(
                    comm, operation, name, countName, parts.counts(), displsName, parts.displacements(), overlap);
        }
    }

    /** The error for two overlapping parts of a buffer that the call writes. */
    static CallError overlapping(
            CommState comm,
            String operation,
            String name,
            String countName,
            int[] counts,
            String displsName,
            int[] displs,
            Overlap overlap) {
        return comm.bad(
                ErrorClass.BUFFER,
                operation,
                "parts of " + name + " overlap: " + part(countName, counts, displsName, displs, overlap.one())
                        + ", and "
                        + part(countName, counts, displsName, displs, overlap.other())
                        + "; allowed: parts without a common place");
    }

    private static String part(String countName, int[] counts, String displsName, int[] displs, int rank) {
        return displsName + "[" + rank + "] is " + displs[rank] + " with " + countName + "[" + rank + "] "
                + counts[rank];
    }

    /** Describes one rank's part of a buffer, for an error's text. */
    record Part(String countName, int count, Datatype type) {
        long bytes() {
            return (long) count * type.sizeBytes();
        }

        @Override
        public String toString() {
            return countName + " (" + count + " of " + type + ", " + bytes() + " bytes)";
        }
    }

    /** Checks that the part that a rank sends itself is as long as the part that it receives from itself. */
    static void sameLength(CommState comm, String operation, Part send, Part receive) {
        if (send.bytes() != receive.bytes()) {
            throw comm.bad(
                    ErrorClass.COUNT,
                    operation,
                    send + " and " + receive + " differ for what the rank sends itself; allowed: as many bytes");
        }
    }

    /**
     * Checks a form of a call in which the buffer for the result holds the rank's own contribution already. On an
     * inter-communicator it is an error, because each group gets the data of the other one there.
     */
    static void inPlace(CommState comm, String operation) {
        if (comm.communicator().isInter()) {
            throw comm.bad(
                    ErrorClass.COMM,
                    operation,
                    "on an inter-communicator each group gets the data of the other one, so no contribution is in its"
                            + " place already; allowed: the form with a send and a receive buffer");
        }
    }

    /** Checks a buffer that is read from, with its count and its type. */
    static void outgoing(
            CommState comm, String operation, String name, Object buffer, String countName, int count, Datatype type) {
        type(comm, operation, name, type);
        count(comm, operation, countName, count);
        if (!holds(buffer, count, type)) {
            throw unfit(comm, operation, name, buffer, countName, count, type);
        }
    }

    /** The error for a buffer that does not {@linkplain #holds hold} the items. */
    static CallError unfit(
            CommState comm, String operation, String name, Object buffer, String countName, long count, Datatype type) {
        if (isMisaligned(buffer, type)) {
            return comm.bad(
                    ErrorClass.TYPE,
                    operation,
                    name + " is " + kind(buffer) + " but its type, " + type
                            + ", has displacements, bounds or an extent of a part of an element; allowed: ByteBuffer");
        }
        if (type.sizeBytes() < 0 || !type.isBasic() && count * type.sizeBytes() > Integer.MAX_VALUE) {
            return comm.bad(
                    ErrorClass.COUNT,
                    operation,
                    countName + " is " + count + " items of " + type + " of "
                            + type.map().sizeBytes() + " bytes each; allowed: up to " + Integer.MAX_VALUE
                            + " bytes");
        }
        return comm.bad(ErrorClass.BUFFER, operation, problem(name, buffer, countName, count, type));
    }

    /** Checks a buffer that is written to, with its count and its type. */
    static void incoming(
            CommState comm, String operation, String name, Object buffer, String countName, int count, Datatype type) {
        outgoing(comm, operation, name, buffer, countName, count, type);
        writable(comm, operation, name, buffer, count);
    }

    static void writable(CommState comm, String operation, String name, Object buffer, int count) {
        if (count > 0 && buffer instanceof Buffer nio && nio.isReadOnly()) {
            throw comm.bad(ErrorClass.BUFFER, operation, name + " is a read-only buffer; allowed: a writable one");
        }
    }

    /**
     * Checks a buffer of which parts at displacements are used: that it is there and of a kind for the type, and that
     * it has one item of a basic type, or that the parts have no more bytes together than an {@code int} counts. A type
     * without bytes goes with any buffer. The places of the parts are checked by {@link #parts}.
     */
    static void someOf(
            CommState comm, String operation, String name, Object buffer, String countName, long count, Datatype type) {
        if (!isSomeOf(buffer, count, type)) {
            throw unfit(comm, operation, name, buffer, countName, type.isBasic() ? 1 : count, type);
        }
    }

    /** As {@link #someOf}, with the sum of several counts. */
    static void sumOf(
            CommState comm, String operation, String name, Object buffer, String countName, long sum, Datatype type) {
        if (!isSomeOf(buffer, sum, type)) {
            someOf(comm, operation, name, buffer, "the sum of " + countName, sum, type);
        }
    }

    private static boolean isSomeOf(Object buffer, long count, Datatype type) {
        return type.isBasic()
                ? holds(buffer, 1, type)
                : type.sizeBytes() == 0
                        || type.sizeBytes() > 0
                                && buffer != null
                                && memoryBytes(buffer, type) >= 0
                                && !isMisaligned(buffer, type)
                                && count * type.sizeBytes() <= Integer.MAX_VALUE;
    }

    /**
     * Whether a buffer holds {@code count} items of a type. If the count is 0 or the type has no bytes, any buffer
     * does, also null.
     */
    static boolean holds(Object buffer, long count, Datatype type) {
        if (count == 0) {
            return true;
        }
        return type.isBasic() ? buffer != null && count <= capacity(buffer, type) : holdsDerived(buffer, count, type);
    }

    private static boolean holdsDerived(Object buffer, long count, Datatype type) {
        if (type.sizeBytes() <= 0) {
            return type.sizeBytes() == 0;
        }
        return buffer != null
                && count * type.sizeBytes() <= Integer.MAX_VALUE
                && !isMisaligned(buffer, type)
                && type.map().fits(0, count, memoryBytes(buffer, type));
    }

    /**
     * Whether the buffer has elements of the type's base, but the type's blocks begin or end in the middle of elements.
     */
    private static boolean isMisaligned(Object buffer, Datatype type) {
        return buffer != null
                && !(buffer instanceof ByteBuffer)
                && type.elements().capacity(buffer) != Elements.WRONG_TYPE
                && !type.map().isAligned(type.elements().sizeBytes);
    }

    /** The size of a buffer in bytes; negative if the buffer is not of the type's kind. */
    static long memoryBytes(Object buffer, Datatype type) {
        Elements elements = type.elements();
        return buffer instanceof ByteBuffer bytes
                ? bytes.capacity()
                : (long) elements.capacity(buffer) * elements.sizeBytes;
    }

    /** The text for an error that says why a buffer does not hold {@code count} items of a type. */
    static String problem(String name, Object buffer, String countName, long count, Datatype type) {
        if (buffer == null) {
            return name + " is null but " + countName + " is " + count + "; null is allowed for 0 only";
        }
        long capacity = capacity(buffer, type);
        if (capacity == Elements.WRONG_TYPE) {
            return name + " is " + kind(buffer) + " but its type is " + type + "; allowed: " + arrays(type)
                    + buffers(type);
        }
        return name + " holds " + capacity + " items of " + type + " but " + countName + " is " + count
                + "; allowed: 0 to " + capacity;
    }

    /** The number of items of a type that a buffer holds, or {@link Elements#WRONG_TYPE}. */
    static long capacity(Object buffer, Datatype type) {
        if (type.isBasic()) {
            Elements elements = type.elements();
            return buffer instanceof ByteBuffer bytes ? elements.in(bytes.capacity()) : elements.capacity(buffer);
        }
        long bytes = memoryBytes(buffer, type);
        return bytes < 0 ? Elements.WRONG_TYPE : type.map().capacity(bytes);
    }

    /** The simple name of an object's class with an article, for an error's text, for example {@code an int[]}. */
    static String kind(Object object) {
        String name = object.getClass().getSimpleName();
        return ("AEIOUaeiou".indexOf(name.charAt(0)) < 0 ? "a " : "an ") + name;
    }

    private static String arrays(Datatype type) {
        String array = type.base().name().toLowerCase(Locale.ROOT) + "[]";
        return type.base() == BaseType.BYTE || type.base() == BaseType.BOOLEAN ? array + " or " : array + ", ";
    }

    /** The names of the {@code java.nio} buffers that hold items of a type, for an error's text. */
    static String buffers(Datatype type) {
        return switch (type.base()) {
            case BYTE, BOOLEAN -> "ByteBuffer";
            case CHAR -> "CharBuffer or ByteBuffer";
            case SHORT -> "ShortBuffer or ByteBuffer";
            case INT -> "IntBuffer or ByteBuffer";
            case LONG -> "LongBuffer or ByteBuffer";
            case FLOAT -> "FloatBuffer or ByteBuffer";
            case DOUBLE -> "DoubleBuffer or ByteBuffer";
        };
    }

    /** The bytes of {@code count} packed items. Raises an error if they are more than an {@code int} counts. */
    static int packedBytes(CommState comm, String operation, String countName, long count, Datatype type) {
        long bytes = count * type.sizeBytes();
        if (bytes > Integer.MAX_VALUE) {
            throw comm.bad(
                    ErrorClass.COUNT,
                    operation,
                    countName + " stands for " + count + " items of " + type + " in all, which are " + bytes
                            + " bytes; allowed: up to " + Integer.MAX_VALUE + " bytes");
        }
        return (int) bytes;
    }

    static CallError ofNullCommunicator(String operation) {
        return new CallError(
                ErrorClass.COMM,
                operation + ": the communicator is null: it was freed, or split or create left this rank out, or"
                        + " the request of iDup or iShrink is not complete; allowed: one that this rank is in");
    }
}
