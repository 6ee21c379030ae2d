package mpi;

import org.ulfmj.runtime.Arrival;
import org.ulfmj.runtime.transfer.Operation;

/**
 * How an operation ended. For a receive or a probe, which message was found (MPI 3.1 section 3.2.5). The program may
 * change how many elements it says arrived, and whether it was cancelled; then one thread at a time may use it.
 */
public final class Status {
    private final int source;
    private final int tag;
    private final int error;
    private long lengthBytes;
    private final int index;
    private boolean cancelled;

    /** Returned where the caller wants no status, to say that there would be one; the program never sees it. */
    static final Status UNWANTED = empty(0);

    Status(int source, int tag, int error, long lengthBytes) {
        this(source, tag, error, lengthBytes, 0, false);
    }

    private Status(int source, int tag, int error, long lengthBytes, int index, boolean cancelled) {
        this.source = source;
        this.tag = tag;
        this.error = error;
        this.lengthBytes = lengthBytes;
        this.index = index;
        this.cancelled = cancelled;
    }

    /** Returns the empty status of a null or inactive request at {@code index}. */
    static Status empty(int index) {
        return new Status(MPI.ANY_SOURCE, MPI.ANY_TAG, MPI.SUCCESS, 0, index, false);
    }

    /**
     * Returns the status of an operation that has ended; {@code index} is the place of its request in the call's array.
     */
    static Status of(Operation over, int index) {
        if (over.isCancelled()) {
            return new Status(MPI.ANY_SOURCE, MPI.ANY_TAG, MPI.SUCCESS, 0, index, true);
        }
        return new Status(over.source(), over.tag(), over.error().code(), over.lengthBytes(), index, false);
    }

    /** Returns the status of an operation that has not ended. */
    static Status pending(int error, int index) {
        return new Status(MPI.ANY_SOURCE, MPI.ANY_TAG, error, 0, index, false);
    }

    /** Returns the status of a receive from {@link MPI#PROC_NULL}, or of a probe of it. */
    static Status ofNoProcess() {
        return new Status(MPI.PROC_NULL, MPI.ANY_TAG, MPI.SUCCESS, 0);
    }

    static Status of(Operation received) {
        return new Status(received.source(), received.tag(), MPI.SUCCESS, received.lengthBytes());
    }

    static Status of(Arrival arrived) {
        return new Status(arrived.source(), arrived.tag(), MPI.SUCCESS, arrived.lengthBytes());
    }

    /**
     * Returns the number of whole items of a type that arrived, or {@link MPI#UNDEFINED} if the message is not made of
     * whole ones or of more than an {@code int} counts.
     *
     * <p>{@code MPI_Get_count}, MPI 3.1 section 3.2.5.
     *
     * @throws MPIException of class {@link MPI#ERR_TYPE} if {@code type} is null, {@link MPI#DATATYPE_NULL} or freed
     */
    public int getCount(Datatype type) {
        requireType("Status.getCount", type);
        long size = type.sizeBytes() < 0 ? type.map().sizeBytes() : type.sizeBytes();
        if (size == 0) {
            return lengthBytes == 0 ? 0 : MPI.UNDEFINED;
        }
        long count = lengthBytes / size;
        return lengthBytes % size == 0 && count <= Integer.MAX_VALUE ? (int) count : MPI.UNDEFINED;
    }

    private static void requireType(String call, Datatype type) {
        if (type == null || type.isNull()) {
            throw Exceptions.withoutCommunicator(
                    call, MPI.ERR_TYPE, "type is " + type + "; allowed: a datatype such as MPI.INT");
        }
    }

    /**
     * Returns the number of basic elements of a type that arrived, also if the last item of the type is not whole, or
     * {@link MPI#UNDEFINED} if the message ends inside an element or has more elements than an {@code int} counts. A
     * pair, such as {@link MPI#DOUBLE_INT}, has two basic elements.
     *
     * <p>{@code MPI_Get_elements}, MPI 3.1 section 4.1.11.
     *
     * @throws MPIException of class {@link MPI#ERR_TYPE} if {@code type} is null, {@link MPI#DATATYPE_NULL} or freed
     */
    public int getElements(Datatype type) {
        requireType("Status.getElements", type);
        long found = elements(type);
        return found <= Integer.MAX_VALUE ? (int) found : MPI.UNDEFINED;
    }

    /**
     * As {@link #getElements}, for any number of elements.
     *
     * <p>{@code MPI_Get_elements_x}, MPI 3.1 section 4.1.11.
     */
    public Count getElementsX(Datatype type) {
        requireType("Status.getElementsX", type);
        return new Count(elements(type));
    }

    private long elements(Datatype type) {
        Signature each = type.map().signature;
        if (each.bytes == 0) {
            return lengthBytes == 0 ? 0 : MPI.UNDEFINED;
        }
        long rest = each.elementsIn(lengthBytes % each.bytes);
        return rest == Signature.PARTIAL ? MPI.UNDEFINED : lengthBytes / each.bytes * each.elements + rest;
    }

    /**
     * Whether {@link Request#cancel} was in time; then nothing was sent or received. After {@link #setCancelled}, what
     * the program set.
     *
     * <p>{@code MPI_Test_cancelled}, MPI 3.1 section 3.8.4.
     */
    public boolean isCancelled() {
        return cancelled;
    }

    /**
     * Returns the rank that sent the message, in the communicator's numbering; {@link MPI#PROC_NULL} for a receive from
     * it, {@link MPI#ANY_SOURCE} in the status of no message.
     *
     * <p>{@code MPI_SOURCE}, MPI 3.1 section 3.2.5.
     */
    public int getSource() {
        return source;
    }

    /**
     * Returns the tag of the message.
     *
     * <p>{@code MPI_TAG}, MPI 3.1 section 3.2.5.
     */
    public int getTag() {
        return tag;
    }

    /**
     * Returns the error class with which the operation ended, {@link MPI#SUCCESS} if without an error. For an operation
     * that has not ended, in {@link MPIException#getStatuses}, {@link MPI#ERR_PENDING} or
     * {@link MPI#ERR_PROC_FAILED_PENDING}.
     *
     * <p>{@code MPI_ERROR}, MPI 3.1 section 3.2.5.
     */
    public int getError() {
        return error;
    }

    /**
     * Returns the place of the request that this status belongs to in the array that the call was given, null requests
     * among them; 0 for calls of one request. {@link MPI#UNDEFINED} if the call was to complete one of several requests
     * and all were null or inactive.
     */
    public int getIndex() {
        return index;
    }

    /**
     * Makes this status say that so many basic elements of a type arrived, which {@link #getElements} then gives, and
     * {@link #getCount} if they are whole items.
     *
     * <p>{@code MPI_Status_set_elements}, MPI 3.1 section 12.3.
     *
     * @param count from 0
     * @throws MPIException of class {@link MPI#ERR_TYPE} if {@code type} is null, {@link MPI#DATATYPE_NULL} or freed,
     *     of class {@link MPI#ERR_COUNT} if {@code count} is negative, or not 0 for a type without bytes
     */
    public void setElements(Datatype type, int count) {
        setElements("Status.setElements", type, count);
    }

    /**
     * As {@link #setElements(Datatype, int)} for any number of elements.
     *
     * <p>{@code MPI_Status_set_elements_x}, MPI 3.1 section 12.3.
     *
     * @throws MPIException of class {@link MPI#ERR_TYPE} if {@code type} is null, {@link MPI#DATATYPE_NULL} or freed,
     *     of class {@link MPI#ERR_COUNT} if {@code count} is null, negative or too large
     */
    public void setElementsX(Datatype type, Count count) {
        if (count == null) {
            throw Exceptions.withoutCommunicator(
                    "Status.setElementsX", MPI.ERR_COUNT, "count is null; allowed: a Count from 0");
        }
        setElements("Status.setElementsX", type, count.getCount());
    }

    private void setElements(String call, Datatype type, long count) {
        requireType(call, type);
        Signature each = type.map().signature;
        long most = each.bytes == 0 ? 0 : Long.MAX_VALUE / each.bytes * each.elements;
        if (count < 0 || count > most) {
            throw Exceptions.withoutCommunicator(call, MPI.ERR_COUNT, "count is " + count + "; allowed: 0 to " + most);
        }
        lengthBytes = count == 0 ? 0 : count / each.elements * each.bytes + each.bytesOf(count % each.elements);
    }

    /**
     * Makes this status say that the operation was, or was not, cancelled.
     *
     * <p>{@code MPI_Status_set_cancelled}, MPI 3.1 section 12.3.
     */
    public void setCancelled(boolean flag) {
        cancelled = flag;
    }

    /** {@code source 1, tag 7, 8 bytes}, and the error class if there is one; or {@code cancelled}. */
    @Override
    public String toString() {
        if (cancelled) {
            return "cancelled";
        }
        return "source " + sourceText() + ", tag " + (tag == MPI.ANY_TAG ? "ANY_TAG" : tag) + ", " + lengthBytes
                + " bytes" + (error == MPI.SUCCESS ? "" : ", error class " + error);
    }

    private String sourceText() {
        return source == MPI.ANY_SOURCE
                ? "ANY_SOURCE"
                : source == MPI.PROC_NULL ? "PROC_NULL" : Integer.toString(source);
    }
}
