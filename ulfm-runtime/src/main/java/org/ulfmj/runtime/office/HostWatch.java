package org.ulfmj.runtime.office;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.locks.LockSupport;
import org.ulfmj.rendezvous.server.RendezvousServer;
import org.ulfmj.rendezvous.silence.SilenceJudge;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.host.HostProcess;
import org.ulfmj.transport.host.PendingSignals;
import org.ulfmj.transport.host.ProcessStat;

/**
 * Proves to the coordinator that processes of this host have ended, as {@code /proc} shows them by pid and start time,
 * and tells it which of them are stopped or wait for a disk: the launcher does the same for its children. The end of a
 * process that had noted that it finalized counts as if its goodbye had come. Has a daemon thread.
 *
 * <p>A process of another host or pid namespace is not looked at.
 */
final class HostWatch implements Runnable {
    private static final long PERIOD_NS = 20_000_000;
    /** How many times as long as it works the thread sleeps, at least. */
    private static final long IDLE_PER_WORK = 20;
    /** After how many looks at the processes the coordinator is asked again which processes there are. */
    private static final int LOOKS_PER_QUESTION = 10;

    /** The exit code of a process that SIGKILL ends. */
    private static final int KILLED = 128 + 9;

    private final RendezvousServer server;
    private final long hostKey;
    /**
     * The notes of processes that have finalized; null where no process that comes later could run the program again.
     */
    private final FinalizeNotes notes;

    /** The nonces of the processes whose ends the coordinator was told. */
    private final Set<Long> ended = new TreeSet<>();
    /** The nonces of the processes that were stopped, or waited for a disk, at the last look. */
    private final Set<Long> still = new TreeSet<>();
    /**
     * The nonces of the processes that are to end by SIGKILL; such a process may have to wait for a disk before it
     * ends.
     */
    private final Set<Long> killed = new ConcurrentSkipListSet<>();

    private volatile List<MemberRecord> members = List.of();
    private volatile boolean isClosed;

    /**
     * @param hostKey the key of this host, as in {@link MemberRecord}
     * @param notes of the processes of this host that have finalized; null where no such notes are made
     */
    HostWatch(RendezvousServer server, long hostKey, FinalizeNotes notes) {
        this.server = server;
        this.hostKey = hostKey;
        this.notes = notes;
    }

    void start() {
        Thread thread = new Thread(this, "ulfm-office-host");
        thread.setDaemon(true);
        thread.start();
    }

    void close() {
        isClosed = true;
    }

    /** Ends a process of this host by SIGKILL, because the coordinator has decided so. Any thread. */
    void kill(long nonce) {
        for (MemberRecord member : members) {
            if (member.nonce() == nonce && isVisible(member)) {
                if (member.process().equals(HostProcess.self())) {
                    // A virtual machine sends itself no SIGKILL.
                    Runtime.getRuntime().halt(KILLED);
                }
                killed.add(member.nonce());
                // The handle is taken first, so that it does not kill a process that has got the pid since.
                ProcessHandle.of(member.process().pid()).ifPresent(handle -> kill(handle, member.process()));
            }
        }
    }

    private static void kill(ProcessHandle handle, HostProcess process) {
        ProcessStat stat = ProcessStat.of(process.pid());
        if (stat != null && stat.startTicks() == process.startTicks()) {
            handle.destroyForcibly();
        }
    }

    @Override
    public void run() {
        for (int look = 0; !isClosed; look++) {
            if (look % LOOKS_PER_QUESTION == 0) {
                server.living(living -> members = List.copyOf(living));
            }
            long beganNs = System.nanoTime();
            for (MemberRecord member : members) {
                if (isVisible(member) && !ended.contains(member.nonce())) {
                    look(member);
                }
            }
            LockSupport.parkNanos(Math.max(PERIOD_NS, IDLE_PER_WORK * (System.nanoTime() - beganNs)));
        }
    }

    private boolean isVisible(MemberRecord member) {
        HostProcess process = member.process();
        return member.hostKey() == hostKey && process.startTicks() != 0 && process.sharesPidsWith(HostProcess.self());
    }

    private void look(MemberRecord member) {
        ProcessStat stat = ProcessStat.of(member.process().pid());
        String end = end(member.process(), stat);
        if (end != null) {
            ended.add(member.nonce());
            tellEnd(member.nonce(), end);
        } else if (stat != null) {
            boolean isStill = SilenceJudge.isStill(stat.state());
            boolean isToEnd = killed.contains(member.nonce());
            if (isStill || isToEnd || still.contains(member.nonce())) {
                boolean isKillPending = isToEnd
                        && PendingSignals.hasKill(
                                Path.of(ProcessStat.PROC), member.process().pid());
                server.about(member.nonce(), one -> one.looked(stat.state(), isKillPending));
            }
            if (isStill) {
                still.add(member.nonce());
            } else {
                still.remove(member.nonce());
            }
        }
    }

    /**
     * Tells the coordinator that a process has ended, and whether it had noted that it finalized: a process that has
     * ended makes no note any more.
     */
    private void tellEnd(long nonce, String end) {
        if (notes != null && notes.has(nonce)) {
            server.about(nonce, one -> one.endedFinalized(end));
        } else {
            server.about(nonce, one -> one.ended(end));
        }
    }

    /** Returns how a process has ended, in words; null if it may be alive. */
    static String end(HostProcess process, ProcessStat stat) {
        if (stat == null) {
            return process.hasEndedWholly() ? "pid " + process.pid() + " is gone" : null;
        }
        if (stat.startTicks() != process.startTicks()) {
            return "pid " + process.pid() + " is gone, and another process by now";
        }
        return stat.hasEnded() ? "pid " + process.pid() + " has ended" : null;
    }
}
