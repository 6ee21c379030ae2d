package org.ulfmj.benchmarks.job;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A process is killed, and looked at until the system shows it as dead.
 *
 * @param killedNs when SIGKILL was sent
 * @param seenNs when its line in {@code /proc} said zombie, or was gone
 */
public record Death(long killedNs, long seenNs) {
    private static final long LOOK_NS = 20_000;
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(30);

    /** Kills the process with SIGKILL. */
    public static Death of(long pid) throws IOException {
        ProcessHandle process = ProcessHandle.of(pid)
                .orElseThrow(() -> new IOException("process " + pid + " is gone before it was killed"));
        byte[] line = new byte[512];
        try (RandomAccessFile stat = new RandomAccessFile("/proc/" + pid + "/stat", "r")) {
            long killedNs = System.nanoTime();
            process.destroyForcibly();
            while (!isDead(stat, line)) {
                if (System.nanoTime() - killedNs > LIMIT_NS) {
                    throw new IOException("process " + pid + " lives on after SIGKILL");
                }
                LockSupport.parkNanos(LOOK_NS);
            }
            return new Death(killedNs, System.nanoTime());
        }
    }

    private static boolean isDead(RandomAccessFile stat, byte[] line) {
        try {
            stat.seek(0);
            int length = stat.read(line);
            String text = new String(line, 0, Math.max(0, length), StandardCharsets.ISO_8859_1);
            int state = text.lastIndexOf(')') + 2;
            return state >= text.length() || "ZX".indexOf(text.charAt(state)) >= 0;
        } catch (IOException e) {
            // Buried already: there is no such process to read about.
            return true;
        }
    }
}
