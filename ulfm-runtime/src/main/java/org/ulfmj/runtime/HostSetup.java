package org.ulfmj.runtime;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.host.HostSleep;
import org.ulfmj.runtime.options.RankSettings;
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
final class HostSetup {
    private static final int MOST_RANKS = 64;
    private static final int MOST_IDLE = 8;
    /** Memory of a freed communicator, for the next one of the same members. */
    record Idle(ProcessId[] processes, HostCollective host) {}

    private final RankEngine engine;
    private final HostMemory memory;
    private final HostSleep sleep;
    private final int after;
    private final boolean crowded;
    private final List<Idle> idle = new ArrayList<>();

    HostSetup(RankEngine engine, RankSettings settings) {
        this.engine = engine;
        this.memory = engine.fabric().hostMemory();
        this.sleep = new HostSleep();
        this.after = settings.hostCollectivesAfter();
        this.crowded = settings.crowded();
        if (memory != null) {
            memory.watch(sleep);
        }
    }

    /** What the members share, after they have decided that if it is time; null if they do not. */
    HostCollective of(CommunicatorState communicator, String operation) {
        HostShare share = communicator.hostShare;
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
            setUp(communicator, operation);
            isLeft = false;
        } finally {
            share.endSetup();
            communicator.endCall();
            if (isLeft) {
                if (ScheduleRuns.verdict(communicator) == ErrorClass.SUCCESS) {
                    CollectiveRunner.leaveInTheMiddle(engine, communicator);
                }
                drop(communicator);
            }
        }
        return share.host();
    }

    private void setUp(CommunicatorState communicator, String operation) {
        HostCollective before = communicator.hostShare.host();
        int step = before == null ? 0 : before.step + 1;
        int number = communicator.hostShare.nextAttempt();
        try (HostAttempt attempt = new HostAttempt(engine, this, communicator, operation, number, step, crowded)) {
            Idle candidate = before == null ? takeIdle(processes(communicator)) : null;
            HostCollective found = attempt.run(candidate);
            if (found == null) {
                putOff(communicator, before, attempt.isInVainForEver());
            } else {
                begin(communicator, before, found, step);
            }
        }
    }

    private void putOff(CommunicatorState communicator, HostCollective before, boolean isForEver) {
        if (before != null) {
            before.growLater(isForEver);
        } else if (isForEver) {
            communicator.hostShare.neverTry();
        } else {
            // What was offered again in vain takes room that the next attempt may need.
            forgetIdle();
            communicator.hostShare.tryLater(communicator.collectiveSequence());
        }
    }

    private void begin(CommunicatorState communicator, HostCollective before, HostCollective found, int step) {
        if (before != null) {
            // All have answered that they opened the new one, so no rank is in an operation of the old one any more.
            forget(before);
        }
        if (!sleep.contains(found.group())) {
            found.step = step;
            found.mayGrow(memory.segmentBytes(communicator.members().size(), step + 1));
            sleep.add(found.group());
        }
        communicator.hostShare.found(found);
        if (ScheduleRuns.verdict(communicator) != ErrorClass.SUCCESS) {
            drop(communicator);
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

    static ProcessId[] processes(CommunicatorState communicator) {
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
    void freed(CommunicatorState communicator) {
        HostCollective host = communicator.hostShare.host();
        if (host != null && host.spoiltBy() == null && ScheduleRuns.verdict(communicator) == ErrorClass.SUCCESS) {
            communicator.hostShare.leave();
            putIdle(new Idle(processes(communicator), host));
        } else {
            drop(communicator);
        }
    }

    /**
     * By rule H8 nothing of it is read any more: its memory goes at once, also where the communicator is never freed.
     */
    void drop(CommunicatorState communicator) {
        HostCollective host = communicator.hostShare.leave();
        if (host != null) {
            forget(host);
        }
    }

    void forget(HostCollective host) {
        sleep.remove(host.group());
        host.group().discard();
    }
}
