package org.ulfmj.runtime.collective;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.reduction.Reduction;

/** At rank r the vectors of ranks 0 to r − 1 combined, in rank order; the buffer of rank 0 stays as it is. */
public final class ExclusiveScanSchedule extends CollectiveSchedule {
    private final ByteBuffer send;
    private final ByteBuffer receive;

    /** The result replaces the vector if {@code send} and {@code receive} are the same object. */
    public ExclusiveScanSchedule(ByteBuffer send, ByteBuffer receive, int elementBytes, Reduction reduction) {
        super("exScan", reduction, elementBytes);
        this.receive = view(receive);
        this.send = send == receive ? this.receive : view(send);
        requireEqual(this.send.capacity(), this.receive.capacity());
    }

    @Override
    protected void plan(Plan plan) {
        Prefixes.plan(plan, send, receive, receive.capacity(), false);
    }
}
