package org.ulfmj.runtime.process;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import org.ulfmj.detector.OrphanJudge;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.options.LauncherProcess;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.host.HostProcess;
import org.ulfmj.transport.host.ProcessStat;

/**
 * The host of a rank whose launcher may be dead, as {@code /proc} shows it and by the means that a rank has: a lock in
 * the job directory, and SIGKILL. Under the engine lock.
 */
final class OrphanedHost implements OrphanJudge.Host {
    /**
     * Knows whether the launcher is lost, and is told which processes count as failed because they can never run again.
     */
    interface Verdicts {
        boolean isLauncherLost();

        void onDoomed(ProcessId process, String reason);
    }

    private static final int SIGKILL_BIT = 1 << 9 - 1;
    private static final int MOST_BYTES = 8192;
    private static final String REASON = "nothing is heard of it, and SIGKILL waits for the system to let it go";

    private final HostProcess me;
    private final LauncherProcess launcher;
    private final HostLock lock;
    private final EvidenceWatch evidence;
    private final Verdicts verdicts;

    OrphanedHost(HostProcess me, LauncherProcess launcher, HostLock lock, EvidenceWatch evidence, Verdicts verdicts) {
        this.me = me;
        this.launcher = launcher;
        this.lock = lock;
        this.evidence = evidence;
        this.verdicts = verdicts;
    }

    /**
     * Returns whether the launcher is there, lost or dead. A pid of another pid namespace proves nothing, and neither
     * does a look for which no file descriptor is left.
     */
    @Override
    public OrphanJudge.Launcher launcher() {
        if (!verdicts.isLauncherLost()) {
            return OrphanJudge.Launcher.THERE;
        }
        boolean canTell =
                launcher.startTicks() != 0 && launcher.pidNamespace() == me.pidNamespace() && me.startTicks() != 0;
        return canTell && isGone(launcher.pid(), launcher.startTicks())
                ? OrphanJudge.Launcher.DEAD
                : OrphanJudge.Launcher.LOST;
    }

    private static boolean isGone(long pid, long startTicks) {
        if (!new File(ProcessStat.folder(ProcessStat.PROC, pid)).exists()) {
            return true;
        }
        ProcessStat stat = ProcessStat.of(pid);
        return stat != null && (stat.startTicks() != startTicks || stat.hasEnded());
    }

    @Override
    public boolean tryLock() {
        return lock.tryLock();
    }

    @Override
    public void unlock() {
        lock.unlock();
    }

    @Override
    public boolean isStoppedHolder(ProcessId process) {
        ProcessStat stat = stat(process);
        return stat != null && "TtD".indexOf(stat.state()) >= 0 && lock.holder() == stat.pid();
    }

    @Override
    public void kill(ProcessId process) {
        ProcessStat stat = stat(process);
        if (stat != null) {
            ProcessHandle.of(stat.pid()).ifPresent(ProcessHandle::destroyForcibly);
        }
        evidence.onKilled(process);
    }

    /**
     * Returns what {@code /proc} says of the process; null if the process is gone, if its pid belongs to another
     * process, or if this process cannot look (other host or pid namespace, no file descriptor left). So null does not
     * prove that the process is gone.
     */
    private ProcessStat stat(ProcessId process) {
        MemberRecord member = evidence.comparable(process);
        ProcessStat stat =
                member == null ? null : ProcessStat.of(member.process().pid());
        return stat == null || stat.startTicks() != member.process().startTicks() ? null : stat;
    }

    @Override
    public boolean isDoomed(ProcessId process) {
        ProcessStat stat = stat(process);
        if (stat == null || stat.state() != 'D') {
            return false;
        }
        byte[] text = new byte[MOST_BYTES];
        try (RandomAccessFile file = new RandomAccessFile("/proc/" + stat.pid() + "/status", "r")) {
            int length = file.read(text);
            return length > 0 && hasKill(new String(text, 0, length, StandardCharsets.US_ASCII));
        } catch (IOException gone) {
            return false;
        }
    }

    /**
     * Whether SIGKILL is pending for a process, by the text of its {@code /proc/PID/status}. Signals that wait for one
     * thread, and those for the whole process, have a line each, with a bit per signal in hexadecimal digits.
     */
    static boolean hasKill(String status) {
        for (String line : status.split("\n")) {
            if (line.startsWith("SigPnd:") || line.startsWith("ShdPnd:")) {
                String digits = line.substring(line.indexOf(':') + 1).strip();
                try {
                    if ((Long.parseUnsignedLong(digits, 16) & SIGKILL_BIT) != 0) {
                        return true;
                    }
                } catch (NumberFormatException cutOff) {
                    return false;
                }
            }
        }
        return false;
    }

    @Override
    public void mark(ProcessId process) {
        verdicts.onDoomed(process, REASON);
    }
}
