package org.ulfmj.runtime;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.transfer.ErrorRules;
import org.ulfmj.runtime.transfer.Operation;
import org.ulfmj.runtime.transfer.Transfers;
import org.ulfmj.transport.Fabric;

/** The collective operations of this rank. Under the engine lock. */
final class ScheduleRuns {
    private final Fabric fabric;
    private final Transfers transfers;
    private final ArrayDeque<ScheduleRun> ready = new ArrayDeque<>();

    ScheduleRuns(Fabric fabric, Transfers transfers) {
        this.fabric = fabric;
        this.transfers = transfers;
    }

    /**
     * Begins an operation, or fails it at once by the error rules. The number it takes is taken in both cases: all
     * members count the same calls.
     */
    ScheduleRun begin(CommunicatorState communicator, CollectiveSchedule schedule, String operation) {
        return begin(communicator, schedule, operation, null);
    }

    /**
     * The same for an operation that no rank waits for; its schedule must have no step for its owner.
     *
     * @param listener is told of its end, perhaps before this returns
     */
    ScheduleRun begin(
            CommunicatorState communicator,
            CollectiveSchedule schedule,
            String operation,
            ScheduleRun.Listener listener) {
        long sequence = communicator.beginCollective();
        return begin(
                new ScheduleRun(this, communicator, schedule, operation, sequence, (int) sequence, listener), schedule);
    }

    /**
     * Begins something that all members do before the operation which they are about to begin: it takes no number, and
     * its messages have their own tag.
     */
    ScheduleRun beginBefore(CommunicatorState communicator, CollectiveSchedule schedule, String operation, int tag) {
        return begin(
                new ScheduleRun(this, communicator, schedule, operation, communicator.collectiveSequence(), tag, null),
                schedule);
    }

    /**
     * As {@link #begin(CommunicatorState, CollectiveSchedule, String)}, and fails if a member is in another operation
     * by what both say.
     *
     * @param schedule prepared as a whole
     * @param description not 0
     */
    ScheduleRun beginDescribed(
            CommunicatorState communicator, CollectiveSchedule schedule, String operation, long description) {
        long sequence = communicator.beginCollective();
        ScheduleRun run = new ScheduleRun(this, communicator, schedule, operation, sequence, (int) sequence, null);
        run.beDescribed(new DescribedEdges(run, description, schedule.partners()));
        return begin(run, schedule);
    }

    private static ScheduleRun begin(ScheduleRun run, CollectiveSchedule schedule) {
        CommunicatorState communicator = run.communicator;
        ErrorClass verdict = verdict(communicator);
        if (verdict != ErrorClass.SUCCESS) {
            run.fail(verdict);
            schedule.discard();
            return run;
        }
        communicator.runs.add(run);
        run.begin();
        return run;
    }

    /** What the rules say of a collective operation that begins now. */
    static ErrorClass verdict(CommunicatorState communicator) {
        return ErrorRules.ofCollective(communicator);
    }

    void ready(ScheduleRun run) {
        if (!run.isReady) {
            run.isReady = true;
            ready.addLast(run);
        }
    }

    boolean hasReady() {
        return !ready.isEmpty();
    }

    int advanceReady() {
        int count = 0;
        for (ScheduleRun run = ready.pollFirst(); run != null; run = ready.pollFirst()) {
            run.isReady = false;
            run.advance();
            count++;
        }
        return count;
    }

    /** The communicator cannot carry collective operations any more. */
    void failAll(CommunicatorState communicator, ErrorClass error) {
        for (ScheduleRun run : new ArrayList<>(communicator.runs)) {
            run.fail(error);
        }
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
        for (Operation operation : operations) {
            transfers.release(operation);
        }
        operations.clear();
    }
}
