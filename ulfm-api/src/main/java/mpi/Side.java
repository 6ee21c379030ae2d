package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.runtime.collective.Blocks;
import org.ulfmj.runtime.collective.CollectiveBuffer;
import org.ulfmj.transport.Payload;

/**
 * One buffer argument of a collective call, as the program gave it. Packed elements are the program's own memory where
 * that is a direct {@link ByteBuffer}, else a copy from the rank's pool. One object may be set again for the next call
 * once its call is over. Arguments were checked.
 */
final class Side implements CollectiveBuffer {
    private final Span span = new Span();
    private CommState comm;
    private StagingPool pool;
    private String operation;
    private Object buffer;
    private String countName;
    private Datatype type;

    /**
     * The number of parts: equal ones of {@link #count} items, one after the other, unless a layout says where they
     * lie.
     */
    private int parts;

    private int count;
    private Layout layout;
    /** All items, if their type has gaps and no layout says where they lie. Else {@link #span} has them. */
    private Payload strided;

    private boolean isInUse;
    private boolean inPlace;
    private ByteBuffer bytes;

    /** Sets a single part: {@code count} items from item 0 on. */
    Side set(CommState newComm, String newOperation, Object newBuffer, int newCount, Datatype newType) {
        belongTo(newComm, null, newOperation);
        pointAt(newBuffer, "count", newType);
        layout = null;
        parts = 1;
        count = newCount;
        point(newCount);
        return this;
    }

    Side set(CommState newComm, String newOperation, Argument argument) {
        return set(newComm, null, newOperation, argument);
    }

    /**
     * @param newComm the communicator that raises an error about the total length
     * @param newPool the pool for copies; null for that of the communicator's rank
     */
    Side set(CommState newComm, StagingPool newPool, String newOperation, Argument argument) {
        belongTo(newComm, newPool, newOperation);
        pointAt(argument.buffer(), argument.countName(), argument.type());
        Layout given = argument.layout();
        parts = given.size();
        if (given.isEqual()) { // a layout of equal parts never outlives this call, so it is not allocated
            layout = null;
            count = given.count(0);
            point(given.total());
        } else {
            layout = given;
        }
        return this;
    }

    /** Stores what differs from the last call: a store of a reference also marks memory for the collector. */
    private void belongTo(CommState newComm, StagingPool newPool, String newOperation) {
        isInUse = true;
        if (comm != newComm) {
            comm = newComm;
        }
        if (pool != newPool) {
            pool = newPool;
        }
        if (operation != newOperation) {
            operation = newOperation;
        }
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

    private void point(long items) {
        if (type.isPlain()) {
            span.set(buffer, 0, (int) items, type);
        } else {
            strided = Strided.items(buffer, 0, items, type);
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
        return program.duplicate().clear().limit(end).order(ByteOrder.nativeOrder());
    }

    private int at(int rank) {
        return layout == null ? rank * count : layout.at(rank);
    }

    private int count(int rank) {
        return layout == null ? count : layout.count(rank);
    }

    private long total() {
        return layout == null ? (long) parts * count : layout.total();
    }

    @Override
    public Blocks blocks() {
        int elementBytes = type.sizeBytes();
        int size = parts;
        int[] offsets = new int[size];
        int[] lengths = new int[size];
        int end = 0;
        for (int rank = 0; rank < size; rank++) {
            lengths[rank] = count(rank) * elementBytes;
            offsets[rank] = !inPlace ? end : lengths[rank] == 0 ? 0 : at(rank) * elementBytes;
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

    /** Lets go of the program's buffer after a call that succeeded. The next call can use the memory of the copy. */
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
        isInUse = false;
        buffer = null;
        strided = null;
        span.clear();
    }

    private int packedOffset(int rank) {
        int items = 0;
        for (int before = 0; before < rank; before++) {
            items += count(before);
        }
        return items * type.sizeBytes();
    }
}
