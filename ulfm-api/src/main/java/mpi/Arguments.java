package mpi;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;

/**
 * Checks of the arguments of one call, before anything is sent. Each message names the argument, its value and what is
 * allowed. Without state.
 */
final class Arguments {
    private Arguments() {}

    /** Checks a rank to send to. */
    static void destination(CommState comm, String operation, String name, int rank) {
        int size = comm.communicator().size();
        if ((rank < 0 || rank >= size) && rank != MPI.PROC_NULL) {
            throw comm.bad(
                    ErrorClass.RANK,
                    operation,
                    name + " is " + rank + "; allowed: 0 to " + (size - 1) + ", or MPI.PROC_NULL");
        }
    }

    /** Checks a rank to receive from. */
    static void source(CommState comm, String operation, String name, int rank) {
        int size = comm.communicator().size();
        if ((rank < 0 || rank >= size) && rank != MPI.PROC_NULL && rank != MPI.ANY_SOURCE) {
            throw comm.bad(
                    ErrorClass.RANK,
                    operation,
                    name + " is " + rank + "; allowed: 0 to " + (size - 1) + ", MPI.ANY_SOURCE or MPI.PROC_NULL");
        }
    }

    static void root(CommState comm, String operation, int root) {
        int size = comm.communicator().size();
        if (root < 0 || root >= size) {
            throw comm.bad(ErrorClass.ROOT, operation, "root is " + root + "; allowed: 0 to " + (size - 1));
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

    static void notNull(CommState comm, String operation, String name, Object value) {
        if (value == null) {
            throw comm.bad(ErrorClass.ARG, operation, name + " is null");
        }
    }

    static void acknowledged(CommState comm, int count) {
        int size = comm.communicator().size();
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

    /** Checks the type of a buffer's items. */
    static void type(CommState comm, String operation, String buffer, Datatype type) {
        if (type == null || type.base() == null) {
            throw comm.bad(
                    ErrorClass.TYPE,
                    operation,
                    "the type of " + buffer + " is " + type + "; allowed: a datatype such as MPI.INT");
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
        return "op " + op + " does not combine items of type " + type + "; allowed for it: "
                + type.elements().operators();
    }

    static void count(CommState comm, String operation, String name, int count) {
        if (count < 0) {
            throw comm.bad(ErrorClass.COUNT, operation, name + " is " + count + "; allowed: 0 to " + Integer.MAX_VALUE);
        }
    }

    /** Checks counts, one for each rank; the array may be longer. */
    static void counts(CommState comm, String operation, String name, int[] counts) {
        int size = comm.communicator().size();
        if (counts == null || counts.length < size) {
            throw comm.bad(ErrorClass.COUNT, operation, lengthOf(name, counts, size));
        }
        for (int rank = 0; rank < size; rank++) {
            if (counts[rank] < 0) {
                count(comm, operation, name + "[" + rank + "]", counts[rank]);
            }
        }
    }

    /** Checks that there is a displacement for each rank; the array may be longer. */
    static int[] displacements(CommState comm, String operation, String name, int[] displs) {
        int size = comm.communicator().size();
        if (displs == null || displs.length < size) {
            throw comm.bad(ErrorClass.ARG, operation, lengthOf(name, displs, size));
        }
        return displs;
    }

    private static String lengthOf(String name, int[] array, int size) {
        return name + " " + (array == null ? "is null" : "has " + array.length + " elements")
                + "; allowed: one for each of the " + size + " ranks";
    }

    /** Checks that each part lies within a buffer of the given capacity. */
    static void parts(
            CommState comm,
            String operation,
            String name,
            long capacity,
            String countName,
            String displsName,
            Layout parts) {
        for (int rank = 0; rank < parts.size(); rank++) {
            int count = parts.count(rank);
            int at = parts.at(rank);
            if (count > 0 && (at < 0 || (long) at + count > capacity)) {
                throw comm.bad(
                        ErrorClass.BUFFER,
                        operation,
                        name + " holds " + capacity + " items but " + displsName + "[" + rank + "] is " + at + " and "
                                + countName + "[" + rank + "] is " + count + "; allowed: parts within 0 to "
                                + capacity);
            }
        }
    }

    /** One rank's part of a buffer, for messages. */
    record Part(String countName, int count, Datatype type) {
        long bytes() {
            return (long) count * type.elements().sizeBytes;
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

    /** Whether the caller is the root, which is checked. */
    static boolean isRoot(CommState comm, String operation, int root) {
        root(comm, operation, root);
        return comm.communicator().rank() == root;
    }

    /** Checks the caller of a form of a call that only the root, or only the other ranks, may use. */
    static void requireRoot(CommState comm, String operation, int root, boolean required) {
        if (isRoot(comm, operation, root) != required) {
            throw comm.bad(
                    ErrorClass.ROOT,
                    operation,
                    "root is " + root + " and the caller's rank "
                            + comm.communicator().rank() + "; this form is for "
                            + (required ? "the root only" : "the other ranks only"));
        }
    }

    /** Checks a buffer that is read from, with its count and its type. */
    static void outgoing(
            CommState comm, String operation, String name, Object buffer, String countName, int count, Datatype type) {
        type(comm, operation, name, type);
        count(comm, operation, countName, count);
        if (!holds(buffer, count, type)) {
            throw comm.bad(ErrorClass.BUFFER, operation, problem(name, buffer, countName, count, type));
        }
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

    /** Whether a buffer holds {@code count} items of a type. If the count is 0, any buffer does, also null. */
    static boolean holds(Object buffer, long count, Datatype type) {
        return count == 0 || buffer != null && count <= capacity(buffer, type);
    }

    /** Why a buffer does not hold {@code count} items of a type. */
    static String problem(String name, Object buffer, String countName, long count, Datatype type) {
        if (buffer == null) {
            return name + " is null but " + countName + " is " + count + "; null is allowed for 0 only";
        }
        long capacity = capacity(buffer, type);
        if (capacity == Elements.WRONG_TYPE) {
            return name + " is a " + buffer.getClass().getSimpleName() + " but its type is " + type + "; allowed: "
                    + holders(type);
        }
        return name + " holds " + capacity + " items of " + type + " but " + countName + " is " + count
                + "; allowed: 0 to " + capacity;
    }

    /** The number of items of a type that a buffer holds, or {@link Elements#WRONG_TYPE}. */
    static long capacity(Object buffer, Datatype type) {
        Elements elements = type.elements();
        return buffer instanceof ByteBuffer bytes ? bytes.capacity() / elements.sizeBytes : elements.capacity(buffer);
    }

    private static String holders(Datatype type) {
        return switch (type.base()) {
            case BYTE -> "byte[] or ByteBuffer";
            case CHAR -> "char[], CharBuffer or ByteBuffer";
            case SHORT -> "short[], ShortBuffer or ByteBuffer";
            case BOOLEAN -> "boolean[] or ByteBuffer";
            case INT -> "int[], IntBuffer or ByteBuffer";
            case LONG -> "long[], LongBuffer or ByteBuffer";
            case FLOAT -> "float[], FloatBuffer or ByteBuffer";
            case DOUBLE -> "double[], DoubleBuffer or ByteBuffer";
        };
    }

    /** The length of a packed message. Checks that it fits into one buffer. */
    static int packedBytes(CommState comm, String operation, String countName, long count, Datatype type) {
        long bytes = count * type.elements().sizeBytes;
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
                        + " the request of iDup or iShrink is not complete");
    }
}
