package org.ulfmj.benchmarks.job;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.ulfmj.transport.host.ProcessStat;

/**
 * Kills a process, and looks at it until the system shows it as dead.
 *
 * @param killedNs when SIGKILL was sent
 * @param seenNs when the process was first seen as a zombie in {@code /proc}, or as gone
 */
public record Death(long killedNs, long seenNs) {
    private static final long LOOK_NS = 20_000;
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(30);

    /**
     * Kills the process with SIGKILL, and returns when it is seen dead. Throws if there is no such process at the call,
     * or if it still lives 30 s after the signal.
     */
    public static Death of(long pid) throws IOException {
        ProcessHandle process = ProcessHandle.of(pid)
                .orElseThrow(() -> new IOException("process " + pid + " is gone before it was killed"));
        try (ProcessStat stat = ProcessStat.open(pid)) {
            long killedNs = System.nanoTime();
            process.destroyForcibly();
            while (!isDead(stat)) {
                if (System.nanoTime() - killedNs > LIMIT_NS) {
                    throw new IOException("process " + pid + " lives on after SIGKILL");
                }
                LockSupport.parkNanos(LOOK_NS);
            }
            return new Death(killedNs, System.nanoTime());
        }
    }

    private static boolean isDead(ProcessStat stat) {
        return stat == null || !stat.read() || "ZX".indexOf(stat.state()) >= 0;
    }
}
