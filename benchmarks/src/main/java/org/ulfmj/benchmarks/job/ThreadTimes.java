package org.ulfmj.benchmarks.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What the threads of a process have used of the processors, by the scheduler's own account. */
public final class ThreadTimes {
    private ThreadTimes() {}

    /** Nanoseconds of all threads whose name begins so. */
    public static long ns(long pid, String name) throws IOException {
        List<Path> threads;
        try (Stream<Path> listed = Files.list(Path.of("/proc/" + pid + "/task"))) {
            threads = listed.toList();
        }
        long ns = 0;
        for (Path thread : threads) {
            try {
                if (Files.readString(thread.resolve("comm")).startsWith(name)) {
                    ns += Long.parseLong(
                            Files.readString(thread.resolve("schedstat")).split(" ")[0]);
                }
            } catch (IOException e) {
                // It has ended between the listing and the look, and takes nothing any more.
                continue;
            }
        }
        return ns;
    }
}
