package org.ulfmj.runtime.collective.run;

import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.choice.PackedCollective;
import org.ulfmj.runtime.transfer.MessageContext;

/**
 * The objects that a collective operation by messages needs at one rank: schedules, their plans, and what carries them
 * out. They are used for one operation after the other.
 *
 * <p>A call has its object for itself from {@link KeptCalls#take} to {@link KeptCalls#giveBack}, and gives it back only
 * when the operation has succeeded, after the last step that touches it. By then all messages of the operation are
 * over, sent and received: a message that comes later belongs to another operation, with objects and a number of its
 * own. The object of a call that ends by an error is left to the collector, with all that may still be told of that
 * operation.
 *
 * <p>Between two operations it holds neither a buffer of the program nor a communicator.
 */
public final class KeptCall {
    private final ScheduleRuns runs;
    private final PackedCollective packed = new PackedCollective();
    private ScheduleRun run;

    KeptCall(ScheduleRuns runs) {
        this.runs = runs;
    }

    /** To be set for the operation. */
    public PackedCollective packed() {
        return packed;
    }

    /**
     * As {@link ScheduleRuns#begin(MessageContext, CollectiveSchedule, String, ScheduleRun.Listener)}. Under the engine
     * lock.
     *
     * @param listener null if a thread waits for the operation
     */
    public ScheduleRun begin(
            MessageContext communicator, CollectiveSchedule schedule, String operation, ScheduleRun.Listener listener) {
        if (run == null || !run.isReusable()) {
            run = new ScheduleRun(runs);
        }
        return runs.begin(run, communicator, schedule, operation, listener);
    }

    /** Forgets an operation that has succeeded. */
    void reset() {
        if (packed.schedule() != null) {
            packed.reset();
        }
        if (run != null) {
            run.letGo();
        }
    }
}
