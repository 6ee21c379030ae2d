package org.ulfmj.runtime.collective.run;

import java.util.ArrayDeque;

/**
 * The objects of collective operations of one rank that are over, for the next ones. At most {@value #MOST} are kept.
 * Thread-safe: calls are packed without the engine lock.
 */
public final class KeptCalls {
    static final int MOST = 8;

    private final ScheduleRuns runs;
    private final ArrayDeque<KeptCall> idle = new ArrayDeque<>(MOST);

    public KeptCalls(ScheduleRuns runs) {
        this.runs = runs;
    }

    public synchronized KeptCall take() {
        KeptCall call = idle.pollLast();
        return call != null ? call : new KeptCall(runs);
    }

    /** Takes back the objects of an operation that has succeeded: nothing uses them any more. */
    public synchronized void giveBack(KeptCall call) {
        call.reset();
        if (idle.size() < MOST) {
            idle.addLast(call);
        }
    }
}
