package org.ulfmj.runtime.collective.run;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.transfer.ErrorRules;
import org.ulfmj.runtime.transfer.MessageContext;
import org.ulfmj.runtime.transfer.Operation;
import org.ulfmj.runtime.transfer.Transfers;
import org.ulfmj.transport.Fabric;

/** The collective operations by messages of this rank. Under the engine lock. */
public final class ScheduleRuns {
    private final Fabric fabric;
    private final Transfers transfers;
    private final ArrayDeque<ScheduleRun> ready = new ArrayDeque<>();
    /** All runs that are under way, in the order in which they began. */
    private final List<ScheduleRun> running = new ArrayList<>();

    private final DueSteps steps = new DueSteps();

    public ScheduleRuns(Fabric fabric, Transfers transfers) {
        this.fabric = fabric;
        this.transfers = transfers;
    }

    /**
     * Begins an operation, or fails it at once by the error rules. The operation takes its number on the communicator
     * in both cases: all members count the same calls.
     */
    ScheduleRun begin(MessageContext communicator, CollectiveSchedule schedule, String operation) {
        return begin(communicator, schedule, operation, null);
    }

    /** As the other {@code begin}, with a run that is new or {@linkplain ScheduleRun#isReusable reusable}. */
    ScheduleRun begin(
            ScheduleRun run,
            MessageContext communicator,
            CollectiveSchedule schedule,
            String operation,
            ScheduleRun.Listener listener) {
        long sequence = communicator.beginCollective();
        return begin(run.set(communicator, schedule, operation, sequence, (int) sequence, listener), schedule);
    }

    /**
     * As {@link #begin}, for an operation whose end a listener is told of. If there is one, {@link DueSteps} runs the
     * operation's steps of local work.
     *
     * @param listener is told of the operation's end, perhaps before this method returns
     */
    public ScheduleRun begin(
            MessageContext communicator, CollectiveSchedule schedule, String operation, ScheduleRun.Listener listener) {
        return begin(new ScheduleRun(this), communicator, schedule, operation, listener);
    }

    /** As the other {@code begin}, for an operation that took its number on the communicator before. */
    public ScheduleRun beginNumbered(
            MessageContext communicator,
            CollectiveSchedule schedule,
            String operation,
            long sequence,
            ScheduleRun.Listener listener) {
        return begin(
                new ScheduleRun(this).set(communicator, schedule, operation, sequence, (int) sequence, listener),
                schedule);
    }

    /**
     * Begins a schedule that all members carry out beside their operations, with another tag than these.
     *
     * @param listener is told of its end, perhaps before this method returns
     */
    public ScheduleRun beginBeside(
            MessageContext communicator,
            CollectiveSchedule schedule,
            String operation,
            int tag,
            ScheduleRun.Listener listener) {
        long sequence = communicator.collectiveSequence();
        return begin(new ScheduleRun(this).set(communicator, schedule, operation, sequence, tag, listener), schedule);
    }

    /**
     * Begins a schedule that all members carry out before the operation which they are about to begin: it takes no
     * number on the communicator, and its messages have a tag of their own.
     */
    ScheduleRun beginBefore(MessageContext communicator, CollectiveSchedule schedule, String operation, int tag) {
        return begin(
                new ScheduleRun(this)
                        .set(communicator, schedule, operation, communicator.collectiveSequence(), tag, null),
                schedule);
    }

    /**
     * As {@link #begin(MessageContext, CollectiveSchedule, String)}, for an operation with a description. The operation
     * fails at this rank if a member turns out to be in another operation.
     *
     * @param schedule {@linkplain CollectiveSchedule#prepareWhole prepared} with all messages, also those of no bytes
     * @param description not 0
     */
    ScheduleRun beginDescribed(
            MessageContext communicator, CollectiveSchedule schedule, String operation, long description) {
        long sequence = communicator.beginCollective();
        ScheduleRun run = new ScheduleRun(this).set(communicator, schedule, operation, sequence, (int) sequence, null);
        run.beDescribed(new DescribedEdges(run, description, schedule.partners()));
        return begin(run, schedule);
    }

    private ScheduleRun begin(ScheduleRun run, CollectiveSchedule schedule) {
        MessageContext communicator = run.communicator;
        ErrorClass verdict = verdict(communicator);
        if (verdict != ErrorClass.SUCCESS) {
            run.fail(verdict);
            schedule.discard();
            return run;
        }
        running.add(run);
        run.begin();
        return run;
    }

    /**
     * The error with which a collective operation fails that begins now on this communicator;
     * {@link ErrorClass#SUCCESS} if it does not fail.
     */
    public static ErrorClass verdict(MessageContext communicator) {
        return ErrorRules.ofCollective(communicator);
    }

    /** The due steps of local work that no particular thread is to run. */
    public DueSteps steps() {
        return steps;
    }

    /** Whether a schedule is under way whose end a listener is told of. */
    public boolean hasStarted() {
        for (int i = 0; i < running.size(); i++) {
            if (running.get(i).isWithoutOwner()) {
                return true;
            }
        }
        return false;
    }

    void ready(ScheduleRun run) {
        if (!run.isReady) {
            run.isReady = true;
            ready.addLast(run);
        }
    }

    public boolean hasReady() {
        return !ready.isEmpty();
    }

    public int advanceReady() {
        int count = 0;
        for (ScheduleRun run = ready.pollFirst(); run != null; run = ready.pollFirst()) {
            run.isReady = false;
            run.advance();
            count++;
        }
        return count;
    }

    /**
     * Fails all collective operations by messages that are under way on a communicator, after a failure or a
     * revocation.
     */
    public void failAll(MessageContext communicator, ErrorClass error) {
        for (ScheduleRun run : new ArrayList<>(running)) {
            if (run.communicator == communicator) {
                run.fail(error);
            }
        }
    }

    /** Whether no collective operation of the communicator is under way by messages. */
    public boolean isIdle(MessageContext communicator) {
        for (ScheduleRun run : running) {
            if (run.communicator == communicator) {
                return false;
            }
        }
        return true;
    }

    /** The operation is over. */
    void end(ScheduleRun run) {
        running.remove(run);
    }

    Operation startDescription(ScheduleRun run, int tag, int peer, long description) {
        return transfers.sendDescription(run, tag, peer, description);
    }

    Operation startSend(ScheduleRun run, int tag, int peer, ByteBuffer data, int offset, int lengthBytes) {
        return transfers.send(run, tag, peer, data, offset, lengthBytes);
    }

    Operation startReceive(ScheduleRun run, int tag, int peer, ByteBuffer data, int offset, int lengthBytes) {
        Operation receive = transfers.receive(run, tag, peer, data, offset, lengthBytes);
        ProcessId partner = receive.partner();
        if (!receive.isDone() && partner != null) {
            fabric.attend(partner);
        }
        return receive;
    }

    void release(List<Operation> operations) {
        for (int i = 0; i < operations.size(); i++) { // an iterator would be an object per operation
            transfers.release(operations.get(i));
        }
        operations.clear();
    }
}
