package org.ulfmj.runtime.host;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.collective.CollectiveRunner;
import org.ulfmj.runtime.collective.ScheduleRuns;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.runtime.progress.Engine;
import org.ulfmj.runtime.progress.Progress;
import org.ulfmj.runtime.transfer.CallErrors;
import org.ulfmj.runtime.transfer.MessageContext;
import org.ulfmj.transport.HostMemory;

/**
 * How the members of a communicator come to share memory, or find out, all alike, that they do not. Under the engine
 * lock.
 *
 * <p>The first collective operations of a communicator go by messages. When enough have been called, which all members
 * count alike, the next one that could use shared memory is preceded by two exchanges of messages: each tells which
 * segment it has made, or that it has none; then whether it could open all the others'. Only if every rank could, every
 * rank uses them. A member that fails meanwhile fails the operation, by the rules for any collective.
 *
 * <p>Segments begin small. After some operations that larger ones would serve better, which all members count alike,
 * they are replaced in the same way; where a member has no room for larger ones, or for any, all go on as before and
 * try again later.
 *
 * <p>What a freed communicator has had is offered again for the next one of the same members, so that programs which
 * make and free communicators do not make files each time: it is used if all offer the same, at the same point of its
 * life. A member offers it only when it has freed the communicator, so no rank reads in it any more. What a failure, a
 * revocation or a wrong program has touched is never offered.
 */
public final class HostSetup {
    private static final int MOST_RANKS = 64;
    private static final int MOST_IDLE = 8;
    /** Memory of a freed communicator, for the next one of the same members. */
    record Idle(ProcessId[] processes, HostCollective host) {}

    final Engine engine;
    final Progress progress;
    final CallErrors errors;
    /** Null where ranks share none. */
    final HostMemory memory;

    final CollectiveRunner byMessages;
    final boolean crowded;
    private final HostSleep sleep;
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
        if (memory != null) {
            memory.watch(sleep);
        }
    }

    /** What the members share, after they have decided that if it is time; null if they do not. */
    HostCollective of(HostShare share, String operation) {
        MessageContext communicator = share.communicator;
        if (!share.isSetupDue(communicator.collectiveSequence(), after)) {
            return share.host();
        }
        int size = communicator.members().size();
        if (size < 2 || size > MOST_RANKS) {
            share.neverTry();
            return null;
        }
        if (ScheduleRuns.verdict(communicator) != ErrorClass.SUCCESS) {
            // The operation itself says so.
            return share.host();
        }
        boolean isLeft = true;
        // Another thread may free it meanwhile: until now it must be there for the exchanges, and its memory for the
        // operation.
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
            // What was offered again in vain takes room that the next attempt may need.
            forgetIdle();
            share.tryLater(share.communicator.collectiveSequence());
        }
    }

    private void begin(HostShare share, HostCollective before, HostCollective found, int step) {
        if (before != null) {
            // All have answered that they opened the new one, so no rank is in an operation of the old one any more.
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

    /** Of the same processes: one that took over a slot was no part of what the one before had. */
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

    /** The program is done with the communicator. */
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
     * By rule H8 nothing of it is read any more: its memory goes at once, also where the communicator is never freed.
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
