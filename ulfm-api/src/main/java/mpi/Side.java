package mpi;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.collective.Blocks;
import org.ulfmj.runtime.collective.CollectiveBuffer;
import org.ulfmj.transport.Payload;

/**
 * One buffer argument of a collective call, as the program gave it. Its packed elements are in the program's own memory
 * if that is a direct {@link ByteBuffer} and the type has no gaps, else in a copy in memory of a {@link StagingPool}.
 * One object may be set again for the next call once its call has succeeded. Arguments were checked.
 */
final class Side implements CollectiveBuffer {
    private final Span span = new Span();
    private final Layout places = new Layout();
    private final KnownViews views = new KnownViews();
    private CommState comm;
    private StagingPool pool;
    private String operation;
    private Object buffer;
    private String countName;
    private Datatype type;

    /**
     * The number of parts. Without a layout they are equal, of {@link #count} items each, one after the other; else the
     * layout says where they lie.
     */
    private int parts;

    private int count;
    private Layout layout;
    /**
     * The items of all parts, if their type has gaps and there is no layout; else null. {@link #span} describes them if
     * the type has no gaps and there is no layout.
     */
    private Strided strided;

    /**
     * Whether a call uses this object. Set by the thread that makes the call, cleared by the thread that ends the
     * operation with success; it stays set after a call that failed.
     */
    private boolean isInUse;

    private boolean inPlace;
    private ByteBuffer bytes;
    /**
     * Where the parts of an earlier call lay. It is used again if they lie there in the next call too, which is safe
     * because the object is immutable.
     */
    private Blocks lastBlocks;

    /** Begins a call with this argument. */
    Side begin(CommState newComm, String newOperation) {
        return begin(newComm, null, newOperation);
    }

    /**
     * @param newComm the communicator that raises an error about the total length
     * @param newPool the pool for copies; null for that of the communicator's rank
     */
    Side begin(CommState newComm, StagingPool newPool, String newOperation) {
        isInUse = true;
        if (comm != newComm) { // a store of a reference also marks memory for the collector
            comm = newComm;
        }
        if (pool != newPool) {
            pool = newPool;
        }
        if (operation != newOperation) {
            operation = newOperation;
        }
        return this;
    }

    /** Sets a single part: {@code newCount} items from item 0 on. */
    Side set(Object newBuffer, int newCount, Datatype newType) {
        return set(newBuffer, "count", 1, newCount, newType);
    }

    /** Sets equal parts: {@code newCount} items for each, in rank order without gaps. */
    Side set(Object newBuffer, String newCountName, int newParts, int newCount, Datatype newType) {
        pointAt(newBuffer, newCountName, newType);
        layout = null;
        parts = newParts;
        count = newCount;
        if (newType.isPlain()) {
            span.set(newBuffer, 0, newParts * newCount, newType);
        } else {
            strided = Strided.items(newBuffer, 0, (long) newParts * newCount, newType);
        }
        return this;
    }

    /** Sets parts at the places that a layout gives. */
    Side set(Object newBuffer, String newCountName, Layout newLayout, Datatype newType) {
        pointAt(newBuffer, newCountName, newType);
        layout = newLayout;
        parts = newLayout.size();
        return this;
    }

    private void pointAt(Object newBuffer, String newCountName, Datatype newType) {
        buffer = newBuffer;
        if (countName != newCountName) {
            countName = newCountName;
        }
        if (type != newType) {
            type = newType;
        }
    }

    /** The layout object of this argument, for the caller to set. */
    Layout places() {
        return places;
    }

    CommState comm() {
        return comm;
    }

    Communicator communicator() {
        return comm.communicator();
    }

    String operation() {
        return operation;
    }

    Datatype type() {
        return type;
    }

    /** A part, for messages. */
    private Arguments.Part part(int rank) {
        return new Arguments.Part(countName, count(rank), type);
    }

    private long bytes(int rank) {
        return (long) count(rank) * type.sizeBytes();
    }

    /**
     * Checks that the part of this side that a rank sends to itself is as long as the part of the receive side in which
     * it receives it.
     */
    void requireSameLength(int part, Side receive, int receivePart) {
        if (bytes(part) != receive.bytes(receivePart)) {
            Arguments.sameLength(comm, operation, part(part), receive.part(receivePart));
        }
    }

    @Override
    public Payload payload() {
        return layout != null ? null : strided == null ? span : strided;
    }

    @Override
    public ByteBuffer packed() {
        if (bytes == null) {
            int length = Arguments.packedBytes(comm, operation, countName, total(), type);
            inPlace = type.isPlain() && buffer instanceof ByteBuffer program && program.isDirect();
            if (pool == null) {
                pool = comm.rank().staging();
            }
            bytes = inPlace ? ofProgram((ByteBuffer) buffer) : pool.acquire(length);
        }
        return bytes;
    }

    private ByteBuffer ofProgram(ByteBuffer program) {
        int end = (int) (layout == null ? total() : layout.end()) * type.sizeBytes();
        return views.of(program).clear().limit(end);
    }

    private int at(int rank) {
        return layout == null ? rank * count : layout.at(rank);
    }

    /** Items of a part. */
    int count(int rank) {
        return layout == null ? count : layout.count(rank);
    }

    int parts() {
        return parts;
    }

    /** Where the parts lie; null if no layout was set: then they are equal, in rank order without gaps. */
    Layout layout() {
        return layout;
    }

    /** Items of all parts. */
    long total() {
        return layout == null ? (long) parts * count : layout.total();
    }

    @Override
    public Blocks blocks() {
        if (lastBlocks == null || !areWhereTheyWere()) {
            lastBlocks = newBlocks();
        }
        return lastBlocks;
    }

    private boolean areWhereTheyWere() {
        if (lastBlocks.size() != parts) {
            return false;
        }
        int elementBytes = type.sizeBytes();
        int end = 0;
        for (int rank = 0; rank < parts; rank++) {
            int length = count(rank) * elementBytes;
            if (lastBlocks.length(rank) != length || lastBlocks.offset(rank) != offset(rank, length, end)) {
                return false;
            }
            end += length;
        }
        return true;
    }

    /**
     * The byte at which a rank's part begins: {@code packedOffset} in a copy, where parts lie without gaps; if the
     * program's own memory is used, the place of the part there, or 0 for a part of no bytes.
     */
    private int offset(int rank, int length, int packedOffset) {
        return !inPlace ? packedOffset : length == 0 ? 0 : at(rank) * type.sizeBytes();
    }

    private Blocks newBlocks() {
        int elementBytes = type.sizeBytes();
        int size = parts;
        int[] offsets = new int[size];
        int[] lengths = new int[size];
        int end = 0;
        for (int rank = 0; rank < size; rank++) {
            lengths[rank] = count(rank) * elementBytes;
            offsets[rank] = offset(rank, lengths[rank], end);
            end += lengths[rank];
        }
        return Blocks.at(offsets, lengths);
    }

    @Override
    public void pack() {
        ByteBuffer target = packed();
        if (inPlace) {
            return;
        }
        if (layout == null || layout.isPacked()) {
            Packing.pack(buffer, 0, (int) total(), type, target);
        } else {
            for (int rank = 0; rank < layout.size(); rank++) {
                Packing.pack(buffer, layout.at(rank), layout.count(rank), type, target);
            }
        }
        target.position(0);
    }

    @Override
    public void packPart(int rank) {
        ByteBuffer target = packed();
        if (!inPlace) {
            target.position(packedOffset(rank));
            Packing.pack(buffer, at(rank), count(rank), type, target);
            target.position(0);
        }
    }

    @Override
    public void unpack() {
        if (inPlace) {
            return;
        }
        bytes.position(0);
        if (layout == null || layout.isPacked()) {
            Packing.unpack(bytes, buffer, 0, (int) total(), type);
        } else {
            for (int rank = 0; rank < layout.size(); rank++) {
                Packing.unpack(bytes, buffer, layout.at(rank), layout.count(rank), type);
            }
        }
    }

    @Override
    public int bytesToUnpack() {
        packed();
        return inPlace ? 0 : (int) total() * type.sizeBytes();
    }

    @Override
    public int unpackPiece(int from, int mostBytes) {
        if (layout == null && !type.isPlain()) { // also a part of an item, which may be large
            int length = Math.min(mostBytes, (int) strided.lengthBytes() - from);
            strided.copyIn(from, bytes.slice(from, length));
            return from + length;
        }
        int itemBytes = type.sizeBytes();
        int first = from / itemBytes;
        int most = Math.max(1, mostBytes / itemBytes);
        int at = first;
        int rest = (int) total() - first;
        if (layout != null && !layout.isPacked()) {
            int rank = 0;
            int before = 0;
            while (first >= before + layout.count(rank)) {
                before += layout.count(rank++);
            }
            at = layout.at(rank) + first - before;
            rest = before + layout.count(rank) - first;
        }
        int items = Math.min(most, rest);
        bytes.position(from);
        Packing.unpack(bytes, buffer, at, items, type);
        return from + items * itemBytes;
    }

    /**
     * Drops the reference to the program's buffer, after a call that succeeded. The memory of the copy goes back to the
     * pool for a later call.
     */
    @Override
    public void release() {
        if (!isInUse) {
            return;
        }
        if (bytes != null) {
            if (!inPlace) {
                pool.release(bytes);
            }
            bytes = null;
        }
        buffer = null;
        if (strided != null) {
            // The runtime keeps its description of the call for the next call, and with it the object in strided: so
            // the reference of that object to the program's buffer is dropped.
            strided.forget();
            strided = null;
        }
        layout = null;
        places.clear();
        span.clear();
        VarHandle.releaseFence();
        isInUse = false;
    }

    @Override
    public void forget() {
        bytes = null;
        buffer = null;
        strided = null;
        span.clear();
    }

    /**
     * Whether the next call may use this object. The calling thread may be another one than the thread that released
     * it.
     */
    boolean isReleased() {
        boolean isReleased = !isInUse;
        VarHandle.acquireFence();
        return isReleased;
    }

    private int packedOffset(int rank) {
        int items = 0;
        for (int before = 0; before < rank; before++) {
            items += count(before);
        }
        return items * type.sizeBytes();
    }
}
