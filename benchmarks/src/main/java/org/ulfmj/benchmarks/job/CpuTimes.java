package org.ulfmj.benchmarks.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The times of the processors since the system started, or between two readings, in the kernel's ticks of 10 ms over
 * all cores.
 *
 * @param busy time that was not idle, not waiting for a disk and not stolen
 * @param steal time that the host took from this virtual machine
 */
public record CpuTimes(long busy, long steal, long all) {
    /** Nanoseconds of a tick. */
    public static final double TICK_NS = 1e7;

    private static final int UTIME = 11;
    private static final int CUTIME = 13;

    public static CpuTimes now() {
        try {
            String[] words = Files.readAllLines(Path.of("/proc/stat")).get(0).split(" +");
            long all = 0;
            for (int i = 1; i <= 8; i++) {
                all += Long.parseLong(words[i]);
            }
            long steal = Long.parseLong(words[8]);
            long idle = Long.parseLong(words[4]) + Long.parseLong(words[5]);
            return new CpuTimes(all - idle - steal, steal, all);
        } catch (IOException e) {
            return new CpuTimes(0, 0, 1);
        }
    }

    public CpuTimes since(CpuTimes earlier) {
        return new CpuTimes(busy - earlier.busy, steal - earlier.steal, Math.max(1, all - earlier.all));
    }

    /** Ticks that this process has used. */
    public static long own() {
        return ofProcess(ProcessHandle.current().pid());
    }

    /**
     * Returns the ticks used by processes that this one has started and waited for, with those of the children that
     * they have waited for.
     */
    public static long children() {
        return ticks(ProcessHandle.current().pid(), CUTIME);
    }

    /** Ticks that a process has used, in user and kernel mode; 0 if it is gone. */
    static long ofProcess(long pid) {
        return ticks(pid, UTIME);
    }

    private static long ticks(long pid, int first) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            String[] words = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return Long.parseLong(words[first]) + Long.parseLong(words[first + 1]);
        } catch (IOException e) {
            return 0;
        }
    }
}
