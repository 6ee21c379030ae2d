package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.runtime.collective.Blocks;

/**
 * One buffer argument of a collective, as the direct buffer of packed elements that schedules work on: the program's
 * own memory where that is a direct {@link ByteBuffer}, else a copy from the rank's pool, which {@link #load} fills and
 * {@link #store} brings back. Arguments were checked.
 */
final class Side {
    private final StagingPool pool;
    private final Object buffer;
    private final Datatype type;
    private final Layout layout;
    private final boolean inPlace;
    private final boolean isPacked;
    private final ByteBuffer bytes;

    /** @param packedBytes of all parts together */
    Side(StagingPool pool, Object buffer, Datatype type, Layout layout, int packedBytes) {
        this.pool = pool;
        this.buffer = buffer;
        this.type = type;
        this.layout = layout;
        this.isPacked = layout.isPacked();
        this.inPlace = buffer instanceof ByteBuffer program && program.isDirect();
        this.bytes = inPlace ? ofProgram((ByteBuffer) buffer) : pool.acquire(packedBytes);
    }

    private ByteBuffer ofProgram(ByteBuffer program) {
        int end = (int) layout.end() * type.elements().sizeBytes;
        return program.duplicate().clear().limit(end).order(ByteOrder.nativeOrder());
    }

    /** From position to limit; native order. */
    ByteBuffer bytes() {
        return bytes;
    }

    /** Where the ranks' parts lie in {@link #bytes}. */
    Blocks blocks() {
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

    /** Makes {@link #bytes} hold what the program's buffer holds. */
    void load() {
        if (inPlace) {
            return;
        }
        if (isPacked) {
            Packing.pack(buffer, 0, (int) layout.total(), type, bytes);
        } else {
            for (int rank = 0; rank < layout.size(); rank++) {
                Packing.pack(buffer, layout.at(rank), layout.count(rank), type, bytes);
            }
        }
        bytes.position(0);
    }

    /** {@link #load} for the part of one rank only. */
    void loadPart(int rank) {
        if (!inPlace) {
            bytes.position(packedOffset(rank));
            Packing.pack(buffer, layout.at(rank), layout.count(rank), type, bytes);
            bytes.position(0);
        }
    }

    /** Makes {@link #bytes} hold what another argument of as many bytes holds; for calls that then work in place. */
    void loadFrom(Object other, int count, Datatype otherType) {
        Packing.pack(other, 0, count, otherType, bytes);
        bytes.position(0);
    }

    /** Brings the result to the program's buffer. */
    void store() {
        if (inPlace) {
            return;
        }
        bytes.position(0);
        if (isPacked) {
            Packing.unpack(bytes, buffer, 0, (int) layout.total(), type);
        } else {
            for (int rank = 0; rank < layout.size(); rank++) {
                Packing.unpack(bytes, buffer, layout.at(rank), layout.count(rank), type);
            }
        }
    }

    /** The call succeeded: the copy can be used by the next one. */
    void release() {
        if (!inPlace) {
            pool.release(bytes);
        }
    }

    private int packedOffset(int rank) {
        int items = 0;
        for (int before = 0; before < rank; before++) {
            items += layout.count(before);
        }
        return items * type.elements().sizeBytes;
    }
}
