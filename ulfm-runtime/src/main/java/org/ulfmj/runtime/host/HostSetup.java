package org.ulfmj.runtime.host;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.collective.run.CollectiveRunner;
import org.ulfmj.runtime.collective.run.ScheduleRuns;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.runtime.progress.Engine;
import org.ulfmj.runtime.progress.Progress;
import org.ulfmj.runtime.transfer.CallErrors;
import org.ulfmj.runtime.transfer.MessageContext;
import org.ulfmj.transport.HostMemory;

/**
 * How the members of a communicator come to share memory for blocking collectives, or find out, all alike, that they do
 * not. Under the engine lock.
 *
 * <p>The first collective operations of a communicator go by messages. After some, which all members count alike, the
 * next operation that could use shared memory is preceded by up to three exchanges of messages: in the first each
 * member tells which segment it offers, or that it has none; in the last, whether it could open the segments of all
 * others. Only if every rank could, every rank uses them. A member that fails meanwhile fails the operation, by the
 * rules for any collective.
 *
 * <p>Segments begin small. After some operations that larger ones would serve better, which all members count alike,
 * they are replaced in the same way; where a member has no room for larger ones, or for any, all go on as before and
 * try again later.
 *
 * <p>The memory of a freed communicator is offered again for the next one of the same members, so that programs which
 * make and free communicators do not make files each time. It is used if all members offer the same memory, after the
 * same number of operations in it. A member offers it only when it has freed the communicator, so no rank reads in it
 * any more. Memory that a failure, a revocation or a wrong program has touched is never offered.
 */
public final class HostSetup {
    private static final int MOST_RANKS = 64;
    private static final int MOST_IDLE = 8;
    /** The memory of a freed communicator, kept for the next communicator of the same members. */
    record Idle(ProcessId[] processes, HostCollective host) {}

    final Engine engine;
    final Progress progress;
    final CallErrors errors;
    /** The memory that ranks of this host can share; null if they cannot share any. */
    final HostMemory memory;

    final CollectiveRunner byMessages;
    final boolean crowded;
    /** The number of cores on which this process may run. */
    final int cores;

    final HostSleep sleep;
    private final int after;
    private final List<Idle> idle = new ArrayList<>();

    /** @param memory null where ranks share none */
    public HostSetup(
            Engine engine,
            Progress progress,
            CallErrors errors,
            HostMemory memory,
            CollectiveRunner byMessages,
            RankSettings settings) {
        this.engine = engine;
        this.progress = progress;
        this.errors = errors;
        this.memory = memory;
        this.byMessages = byMessages;
        this.sleep = new HostSleep();
        this.after = settings.hostCollectivesAfter();
        this.crowded = settings.crowded();
        this.cores = Runtime.getRuntime().availableProcessors();
        if (memory != null) {
            memory.watch(sleep);
        }
    }

    /**
     * Returns the memory that the members of a communicator share; null if they share none. If an attempt is due, the
     * members first try to share memory, or more memory.
     */
    HostCollective of(HostShare share, String operation) {
        MessageContext communicator = share.communicator;
        if (!share.isSetupDue(communicator.collectiveSequence(), after)) {
            return share.host();
        }
        int size = communicator.members().size();
        if (size < 2 || size > MOST_RANKS || !communicator.isOnOneHost()) {
            share.neverTry();
            return null;
        }
        if (ScheduleRuns.verdict(communicator) != ErrorClass.SUCCESS) {
            // The operation itself raises that error.
            return share.host();
        }
        boolean isLeft = true;
        // Another thread may free the communicator during the exchanges. Until this call ends, the communicator must
        // exist for the exchanges, and its memory for the operation.
        communicator.beginCall();
        share.beginSetup();
        try {
            setUp(share, operation);
            isLeft = false;
        } finally {
            share.endSetup();
            communicator.endCall();
            if (isLeft) {
                if (ScheduleRuns.verdict(communicator) == ErrorClass.SUCCESS) {
                    byMessages.leaveInTheMiddle(communicator);
                }
                drop(share);
            }
        }
        return share.host();
    }

    private void setUp(HostShare share, String operation) {
        HostCollective before = share.host();
        int step = before == null ? 0 : before.step + 1;
        int number = share.nextAttempt();
        try (HostAttempt attempt = new HostAttempt(this, share, operation, number, step)) {
            Idle candidate = before == null ? takeIdle(processes(share.communicator)) : null;
            HostCollective found = attempt.run(candidate);
            if (found == null) {
                putOff(share, before, attempt.isInVainForEver());
            } else {
                begin(share, before, found, step);
            }
        }
    }

    private void putOff(HostShare share, HostCollective before, boolean isForEver) {
        if (before != null) {
            before.growLater(isForEver);
        } else if (isForEver) {
            share.neverTry();
        } else {
            // Used memory that was offered and not accepted takes room that the next attempt may need.
            forgetIdle();
            share.tryLater(share.communicator.collectiveSequence());
        }
    }

    private void begin(HostShare share, HostCollective before, HostCollective found, int step) {
        if (before != null) {
            // All members have answered that they opened the new segments, so no rank is in an operation of the old
            // ones any more.
            forget(before);
        }
        if (!sleep.contains(found.group())) {
            found.step = step;
            found.mayGrow(memory.segmentBytes(share.communicator.members().size(), step + 1));
            sleep.add(found.group());
        }
        share.found(found);
        if (ScheduleRuns.verdict(share.communicator) != ErrorClass.SUCCESS) {
            drop(share);
        }
    }

    boolean areReached(ProcessId[] processes) {
        for (ProcessId process : processes) {
            if (!memory.reaches(process)) {
                return false;
            }
        }
        return true;
    }

    static ProcessId[] processes(MessageContext communicator) {
        ProcessId[] processes = new ProcessId[communicator.members().size()];
        for (int rank = 0; rank < processes.length; rank++) {
            processes[rank] = communicator.process(rank);
        }
        return processes;
    }

    /**
     * Takes out of the store of idle memory what the same processes shared before; null if there is none. A process
     * that took over a slot has no part in the memory of the process before it.
     */
    private Idle takeIdle(ProcessId[] processes) {
        for (int i = idle.size() - 1; i >= 0; i--) {
            if (!areReached(idle.get(i).processes)) {
                forget(idle.remove(i).host);
            }
        }
        for (int i = 0; i < idle.size(); i++) {
            if (Arrays.equals(idle.get(i).processes, processes)) {
                return idle.remove(i);
            }
        }
        return null;
    }

    private void forgetIdle() {
        for (Idle each : idle) {
            forget(each.host);
        }
        idle.clear();
    }

    void putIdle(Idle used) {
        idle.add(used);
        if (idle.size() > MOST_IDLE) {
            forget(idle.remove(0).host);
        }
    }

    /**
     * Keeps the memory of a communicator that the program has freed, for the next one of the same members. Gives the
     * memory up if a failure, a revocation, a mismatch of calls or an error inside a call has touched it.
     */
    void freed(HostShare share) {
        HostCollective host = share.host();
        if (host != null && host.spoiltBy() == null && ScheduleRuns.verdict(share.communicator) == ErrorClass.SUCCESS) {
            share.leave();
            putIdle(new Idle(processes(share.communicator), host));
        } else {
            drop(share);
        }
    }

    /**
     * Gives up the memory that the members share. By rule H8 no rank reads it any more: it is given up at once, also
     * where the program never frees the communicator.
     */
    void drop(HostShare share) {
        HostCollective host = share.leave();
        if (host != null) {
            forget(host);
        }
    }

    void forget(HostCollective host) {
        sleep.remove(host.group());
        host.group().discard();
    }
}
