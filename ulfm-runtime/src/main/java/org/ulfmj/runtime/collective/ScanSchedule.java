package org.ulfmj.runtime.collective;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.reduction.Reduction;

/** The inclusive scan by messages: rank r gets the vectors of ranks 0 to r combined, in rank order. */
public final class ScanSchedule extends CollectiveSchedule {
    private ByteBuffer send;
    private ByteBuffer receive;

    /** To be set. */
    public ScanSchedule() {
        super("scan");
    }

    /** As {@link #set}. */
    public ScanSchedule(ByteBuffer send, ByteBuffer receive, int elementBytes, Reduction reduction) {
        this();
        set(send, receive, elementBytes, reduction);
    }

    /**
     * Sets the vectors: whole elements, equally many at each rank. The result replaces the vector if {@code newSend}
     * and {@code newReceive} are the same object.
     */
    public ScanSchedule set(ByteBuffer newSend, ByteBuffer newReceive, int elementBytes, Reduction reduction) {
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
        plan.copy(send, 0, receive, 0, receive.limit());
        Prefixes.plan(plan, send, receive, receive.limit(), true);
    }
}
