package org.ulfmj.launch.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.ulfmj.launch.process.GroupRest;
import org.ulfmj.launch.process.Leftover;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.launch.process.SignalSender;
import org.ulfmj.rendezvous.silence.SilenceJudge;
import org.ulfmj.transport.host.PendingSignals;
import org.ulfmj.transport.host.ProcessStat;

/**
 * Looks at the processes that it was given, those of this host, every {@value #PERIOD_MS} ms, or less often where that
 * would cost more than a hundredth of a core. Reports when a process has died, when it has been reaped, and which
 * processes are stopped or in uninterruptible sleep. One thread looks at all processes.
 *
 * <p>A process may be a script that starts the rank as its child. SIGTERM ends the script at once, while the rank may
 * still handle the signal. So the end of such a script is reported once no process of its process group is left, or
 * after the grace time. Where the launcher, or the agent, did not send the signal to the group, the watch does so.
 *
 * <p>The first thread of a Java virtual machine ends last, so its state Z or X in {@code /proc} is certain death, long
 * before {@code waitpid} returns for a big heap. For any other executable only {@code waitpid} is believed.
 */
public final class DeathWatch implements Runnable {
    private static final long PERIOD_MS = 5;
    private static final long PERIOD_NS = PERIOD_MS * 1_000_000;
    private static final long IDLE_PER_WORK = 100;
    private static final long COST_GROWTH = 8;
    /** How many looks after it was set the rehearsal of a death runs. */
    private static final int LOOKS_TO_REHEARSAL = 100;
    /** The exit code of a process that SIGTERM has ended. */
    private static final int TERMINATED = 143;

    /** Is told of what the watch finds, on the watch's thread. */
    public interface Findings {
        /**
         * The process is dead, but may not have been reaped yet.
         *
         * @param exitCode 0 if the code is not known yet
         */
        void died(RankProcess process, int exitCode);

        /** The process was reaped. */
        void ended(RankProcess process, int exitCode);

        /**
         * The process is dead, but one of its threads has waited for a disk for so long that its exit code is not
         * waited for any more.
         */
        void unreaped(RankProcess process);

        /**
         * Reports the state of a Java virtual machine that is to be killed, or that is stopped or in uninterruptible
         * sleep, or was so at the last look. Not called for other processes, nor for dead ones.
         *
         * @param state its state letter in {@code /proc/PID/stat}
         * @param isKillPending whether SIGKILL was sent to the process and has not taken effect yet; looked up only for
         *     a process that is to be killed
         */
        void looked(RankProcess process, char state, boolean isKillPending);
    }

    private final Findings findings;
    private final Path proc;
    private final long unreapedNs;
    private final long graceNs;
    private final ConcurrentLinkedQueue<Watched> added = new ConcurrentLinkedQueue<>();
    private final List<Watched> watched = new ArrayList<>();
    private long costNs;
    private int looksToRehearsal;
    /** An action that prepares the launcher for the first death of a process; null while none is set. */
    private volatile Runnable rehearsal;

    private volatile boolean isClosed;

    /**
     * @param proc the folder {@code /proc}
     * @param unreapedNs how long a thread of a dead process may wait for a disk before the process is reported as
     *     unreaped
     * @param graceNs how long the other processes of its group may outlive a script that SIGTERM has ended
     */
    public DeathWatch(Findings findings, Path proc, long unreapedNs, long graceNs) {
        this.unreapedNs = unreapedNs;
        this.graceNs = graceNs;
        this.findings = findings;
        this.proc = proc;
    }

    public void start() {
        Thread thread = new Thread(this, "death-watch");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Begins to watch a process. Any thread.
     *
     * @param isJava whether the process is a Java virtual machine, so that its state in {@code /proc} proves its death
     */
    public void watch(RankProcess process, boolean isJava) {
        added.add(new Watched(
                process, isJava, isJava ? ProcessStat.open(ProcessStat.folder(proc.toString(), process.pid())) : null));
    }

    /**
     * Sets an action that makes the launcher ready for a death by playing one. It runs once, on the watch's thread,
     * about half a second from now or later, after a fixed number of looks. Any thread.
     */
    public void rehearse(Runnable newRehearsal) {
        rehearsal = newRehearsal;
    }

    public void close() {
        isClosed = true;
    }

    @Override
    public void run() {
        while (!isClosed) {
            long beganNs = System.nanoTime();
            look();
            costNs = cost(costNs, System.nanoTime() - beganNs);
            if (rehearsal != null && ++looksToRehearsal == LOOKS_TO_REHEARSAL) {
                rehearsal.run();
            }
            LockSupport.parkNanos(Math.max(PERIOD_NS, costNs * IDLE_PER_WORK));
        }
    }

    /**
     * Returns the estimated cost of a look. On a busy core a look may take long because other processes had the core,
     * so a longer look raises the estimate by about an eighth at most. A shorter look lowers it at once.
     */
    static long cost(long soFarNs, long tookNs) {
        return Math.min(tookNs, soFarNs + soFarNs / COST_GROWTH + 1);
    }

    private void look() {
        Watched another;
        while ((another = added.poll()) != null) {
            watched.add(another);
        }
        for (Iterator<Watched> each = watched.iterator(); each.hasNext(); ) {
            Watched next = each.next();
            if (next.hasEnded(findings, proc, graceNs)) {
                each.remove();
            } else {
                next.tellStandstill(findings, proc);
                next.tellUnreaped(findings, proc, unreapedNs);
            }
        }
    }

    /**
     * A process that is watched; if it is a Java virtual machine, with its open file {@code /proc/PID/stat}, which is
     * closed once it has nothing more to say.
     */
    private static final class Watched {
        private final RankProcess process;
        private final boolean isScript;
        private ProcessStat state;
        /** The processes that a script has left in its process group; null unless SIGTERM has ended the script. */
        private GroupRest rest;

        private long restUntilNs;
        private char letter;
        private boolean wasStill;
        private final Leftover leftover = new Leftover();
        private boolean isDead;

        Watched(RankProcess process, boolean isJava, ProcessStat state) {
            this.process = process;
            this.isScript = !isJava;
            this.state = state;
        }

        boolean hasEnded(Findings findings, Path proc, long graceNs) {
            letter = state == null ? 0 : state.readState();
            if (isDead(letter)) {
                int exitCode = letter == ProcessStat.GONE ? 0 : state.exitCode();
                state.close();
                state = null;
                isDead = true;
                findings.died(process, exitCode);
            }
            if (!process.hasEnded() || isScript && isOutlived(proc, graceNs)) {
                return false;
            }
            if (state != null) {
                state.close();
            }
            findings.ended(process, process.exitCode());
            return true;
        }

        /**
         * Whether SIGTERM has ended the script, another process of its group is left, and the grace time has not
         * passed.
         */
        private boolean isOutlived(Path proc, long graceNs) {
            if (!process.leadsGroup() || process.exitCode() != TERMINATED) {
                return false;
            }
            long nowNs = System.nanoTime();
            if (rest == null) {
                rest = new GroupRest(proc, process.pid());
                restUntilNs = nowNs + graceNs;
                if (rest.isAnyLeft(nowNs) && !process.isTerminated()) {
                    SignalSender.sendToGroups("TERM", List.of(process));
                }
            }
            return nowNs - restUntilNs < 0 && rest.isAnyLeft(nowNs);
        }

        /**
         * Reports the state of a Java virtual machine that is to be killed, or that is stopped or in uninterruptible
         * sleep, or was so at the last look. There is no report for other processes, nor for dead ones.
         */
        void tellStandstill(Findings findings, Path proc) {
            if (state == null) {
                return;
            }
            boolean isStill = SilenceJudge.isStill(letter);
            if (process.isCondemned()) {
                findings.looked(process, letter, PendingSignals.hasKill(proc, process.pid()));
            } else if (isStill || wasStill) {
                findings.looked(process, letter, false);
            }
            wasStill = isStill;
        }

        void tellUnreaped(Findings findings, Path proc, long unreapedNs) {
            if (isDead && leftover.lasts(proc, process.pid(), System.nanoTime(), unreapedNs)) {
                isDead = false; // told once
                findings.unreaped(process);
            }
        }

        private static boolean isDead(char letter) {
            return letter == 'Z' || letter == 'X' || letter == ProcessStat.GONE;
        }
    }
}
