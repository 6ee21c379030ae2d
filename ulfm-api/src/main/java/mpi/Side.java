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

    /** Where the parts lie; null for one part of {@link #count} items. */
    private Layout layout;

    private int count;
    private boolean inPlace;
    private ByteBuffer bytes;

    /** One part: {@code count} items from item 0 on. */
    Side set(CommState newComm, String newOperation, Object newBuffer, int newCount, Datatype newType) {
        comm = newComm;
        pool = newComm.rank().staging();
        operation = newOperation;
        buffer = newBuffer;
        countName = "count";
        type = newType;
        layout = null;
        count = newCount;
        span.set(newBuffer, 0, newCount, newType);
        return this;
    }

    Side set(CommState newComm, String newOperation, Argument argument) {
        return set(newComm, newComm.rank().staging(), newOperation, argument);
    }

    /** @param newComm raises what is wrong with the total length */
    Side set(CommState newComm, StagingPool newPool, String newOperation, Argument argument) {
        comm = newComm;
        pool = newPool;
        operation = newOperation;
        buffer = argument.buffer();
        countName = argument.countName();
        type = argument.type();
        layout = argument.layout();
        if (layout.isEqual()) {
            span.set(buffer, 0, (int) layout.total(), type);
        }
        return this;
    }

    @Override
    public Payload payload() {
        return layout == null || layout.isEqual() ? span : null;
    }

    @Override
    public ByteBuffer packed() {
        if (bytes == null) {
            int length = Arguments.packedBytes(comm, operation, countName, total(), type);
            inPlace = buffer instanceof ByteBuffer program && program.isDirect();
            bytes = inPlace ? ofProgram((ByteBuffer) buffer) : pool.acquire(length);
        }
        return bytes;
    }

    private ByteBuffer ofProgram(ByteBuffer program) {
        int end = (int) (layout == null ? count : layout.end()) * type.elements().sizeBytes;
        return program.duplicate().clear().limit(end).order(ByteOrder.nativeOrder());
    }

    private long total() {
        return layout == null ? count : layout.total();
    }

    @Override
    public Blocks blocks() {
        int elementBytes = type.elements().sizeBytes;
        int size = layout.size();
        int[] offsets = new int[size];
        int[] lengths = new int[size];
        int end = 0;
        for (int rank = 0; rank < size; rank++) {
            lengths[rank] = layout.count(rank) * elementBytes;
            offsets[rank] = !inPlace ? end : lengths[rank] == 0 ? 0 : layout.at(rank) * elementBytes;
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
            Packing.pack(buffer, layout.at(rank), layout.count(rank), type, target);
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

    /** Lets go of the program's buffer after a call that succeeded: the copy can be used by the next one. */
    void release() {
        if (bytes != null) {
            if (!inPlace) {
                pool.release(bytes);
            }
            bytes = null;
        }
        buffer = null;
        span.clear();
    }

    private int packedOffset(int rank) {
        int items = 0;
        for (int before = 0; before < rank; before++) {
            items += layout.count(before);
        }
        return items * type.elements().sizeBytes;
    }
}
