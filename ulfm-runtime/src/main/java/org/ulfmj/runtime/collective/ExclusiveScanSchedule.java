package org.ulfmj.runtime.collective;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.reduction.Reduction;

/**
 * The exclusive scan by messages: rank r gets the vectors of ranks 0 to r − 1 combined, in rank order; the buffer of
 * rank 0 stays as it is.
 */
public final class ExclusiveScanSchedule extends CollectiveSchedule {
    private ByteBuffer send;
    private ByteBuffer receive;

    /** To be set. */
    public ExclusiveScanSchedule() {
        super("exScan");
    }

    /** As {@link #set}. */
    public ExclusiveScanSchedule(ByteBuffer send, ByteBuffer receive, int elementBytes, Reduction reduction) {
        this();
        set(send, receive, elementBytes, reduction);
    }

    /**
     * Sets the vectors: whole elements, equally many at each rank. The result replaces the vector if {@code newSend}
     * and {@code newReceive} are the same object.
     */
    public ExclusiveScanSchedule set(ByteBuffer newSend, ByteBuffer newReceive, int elementBytes, Reduction reduction) {
        combinesBy(reduction, elementBytes);
        receive = view(newReceive);
        send = newSend == newReceive ? receive : view(newSend);
        requireEqual(send.limit(), receive.limit());
        return this;
    }

    @Override
    protected void forget() {
        send = null;
        receive = null;
    }

    @Override
    protected void plan(Plan plan) {
        Prefixes.plan(plan, send, receive, receive.limit(), false);
    }
}
