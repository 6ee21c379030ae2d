package org.ulfmj.launch.process;

import java.io.File;
import java.nio.file.Path;
import org.ulfmj.transport.host.ProcessStat;

/**
 * Finds out whether a process whose first thread has ended still has a thread that SIGKILL does not end, because that
 * thread waits for a disk (state D). Until the thread ends, {@code waitpid} does not return the process. A process that
 * takes long because it frees gigabytes has no thread in this state. Not thread-safe.
 */
public final class Leftover {
    private static final long LOOK_NS = 50_000_000;

    private long nextLookNs;
    private long sinceNs;
    private boolean isStuck;

    /**
     * Whether every look during the last {@code boundNs} has found a thread that waits for a disk. False if it is too
     * early for the next look.
     */
    public boolean lasts(Path proc, long pid, long nowNs, long boundNs) {
        if (nextLookNs != 0 && nowNs - nextLookNs < 0) {
            return false;
        }
        nextLookNs = nowNs + LOOK_NS;
        boolean wasStuck = isStuck;
        isStuck = hasWaitingThread(proc, pid);
        if (isStuck && !wasStuck) {
            sinceNs = nowNs;
        }
        return isStuck && nowNs - sinceNs >= boundNs;
    }

    private static boolean hasWaitingThread(Path proc, long pid) {
        String[] threads = new File(proc.toFile(), pid + "/task").list();
        if (threads == null) {
            return false;
        }
        for (String thread : threads) {
            if (stateOf(proc.resolve(pid + "/task/" + thread)) == 'D') {
                return true;
            }
        }
        return false;
    }

    private static char stateOf(Path thread) {
        ProcessStat stat = ProcessStat.now(thread.toString());
        return stat == null ? ProcessStat.GONE : stat.state();
    }
}
