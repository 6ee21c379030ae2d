package org.ulfmj.runtime.collective;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.reduction.Reduction;

/** At rank r the vectors of ranks 0 to r combined, in rank order. */
public final class ScanSchedule extends CollectiveSchedule {
    private final ByteBuffer send;
    private final ByteBuffer receive;

    /** The result replaces the vector if {@code send} and {@code receive} are the same object. */
    public ScanSchedule(ByteBuffer send, ByteBuffer receive, int elementBytes, Reduction reduction) {
        super("scan", reduction, elementBytes);
        this.receive = view(receive);
        this.send = send == receive ? this.receive : view(send);
        requireEqual(this.send.capacity(), this.receive.capacity());
    }

    @Override
    protected void plan(Plan plan) {
        plan.copy(send, 0, receive, 0, receive.capacity());
        Prefixes.plan(plan, send, receive, receive.capacity(), true);
    }
}
