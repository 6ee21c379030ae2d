package org.ulfmj.rabit;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import mpi.Datatype;
import org.ulfmj.rabit.engine.Entry;
import org.ulfmj.rabit.engine.Shape;
import org.ulfmj.runtime.reduction.Reduction;
import org.ulfmj.transport.Payload;

/**
 * One operation that the program calls: its data, and how the ranks' parts become one result. The same object serves
 * one operation after the other. Not thread-safe.
 */
final class Call {
    private final Payload data = MpiRank.get().noPayload();
    private Shape shape;
    private String key;
    private Payload mine;
    private Reduction reduction;
    private Runnable prepare;
    /** Whether the operation has itself put its result into {@link #data}, the program's memory. */
    private boolean isShown;

    Call of(Shape newShape, String newKey, Object newData, Datatype type) {
        shape = newShape;
        key = newKey;
        MpiRank.get()
                .point(
                        data,
                        newData,
                        (int) (newShape.lengthBytes() / MpiRank.get().elementBytes(type)),
                        type);
        return this;
    }

    Shape shape() {
        return shape;
    }

    /** The program's key of the operation; null if it gave none. */
    String key() {
        return key;
    }

    /** Runs the program's own code that fills its buffer, if the program gave any. */
    void prepare() {
        if (prepare != null) {
            prepare.run();
        }
    }

    /** Lets go of the program's objects. */
    void clear() {
        MpiRank.get().unpoint(data);
        shape = null;
        key = null;
        mine = null;
        reduction = null;
        prepare = null;
        isShown = false;
    }

    Call combining(Reduction newReduction, Runnable newPrepare) {
        reduction = newReduction;
        prepare = newPrepare;
        return this;
    }

    Call gathering(Payload newMine) {
        mine = newMine;
        return this;
    }

    /**
     * Makes the operation together with all other ranks. The result goes to {@code result}; an allreduce also puts it
     * into the program's data at its end. Returns whether every rank is known to have begun the operation.
     */
    boolean make(RabitEpoch epoch, ByteBuffer result, long description) {
        switch (shape.kind()) {
            case ALLREDUCE -> {
                boolean waitedForAll = epoch.allReduce(data, result, shape.elementBytes(), reduction, description);
                isShown = true;
                return waitedForAll;
            }
            case ALLGATHER -> {
                return epoch.allGather(mine, result, description);
            }
            default -> {
                if (epoch.rank() == shape.root()) {
                    data.copyOut(0, view(result));
                }
                return epoch.broadcast(result, shape.root(), description);
            }
        }
    }

    /** In an allgather of one rank: copies the rank's own part, which is the whole result, to the program's memory. */
    void showOwn() {
        if (mine != null) {
            ByteBuffer own = ByteBuffer.allocate((int) mine.lengthBytes()).order(ByteOrder.nativeOrder());
            mine.copyOut(0, own);
            data.copyIn(0, own.flip());
        }
    }

    /** Copies a recorded result to the program's memory, unless the operation has put its result there itself. */
    void show(Entry recorded) {
        if (!isShown) {
            data.copyIn(0, view(recorded.bytes()));
        }
    }

    private static ByteBuffer view(ByteBuffer bytes) {
        return bytes.duplicate().order(ByteOrder.nativeOrder());
    }
}
