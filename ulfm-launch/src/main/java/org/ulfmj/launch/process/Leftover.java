package org.ulfmj.launch.process;

import java.io.File;
import java.nio.file.Path;
import org.ulfmj.transport.host.ProcessStat;

/**
 * What is left of a process whose first thread has ended: SIGKILL does not end another one that waits for a disk (state
 * D), and until it does the process cannot be waited for. That many gigabytes are being freed is no such state. Not
 * thread-safe.
 */
public final class Leftover {
    private static final long LOOK_NS = 50_000_000;

    private long nextLookNs;
    private long sinceNs;
    private boolean isStuck;

    /** Whether a thread was found waiting at every look for this long. */
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
