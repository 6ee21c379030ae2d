package org.ulfmj.benchmarks.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What the threads of a process have used of the processors, by the scheduler's own account. */
public final class ThreadTimes {
    private ThreadTimes() {}

    /** Nanoseconds of all threads whose name begins so. */
    public static long ns(long pid, String name) throws IOException {
        long ns = 0;
        for (Map.Entry<String, Long> thread : byName(pid).entrySet()) {
            if (thread.getKey().startsWith(name)) {
                ns += thread.getValue();
            }
        }
        return ns;
    }

    /** Nanoseconds of the threads that live, by their names, of which the kernel keeps 15 characters. */
    public static Map<String, Long> byName(long pid) throws IOException {
        List<Path> threads;
        try (Stream<Path> listed = Files.list(Path.of("/proc/" + pid + "/task"))) {
            threads = listed.toList();
        }
        Map<String, Long> ns = new TreeMap<>();
        for (Path thread : threads) {
            try {
                String name = Files.readString(thread.resolve("comm")).strip();
                String[] words = Files.readString(thread.resolve("schedstat")).split(" ");
                ns.merge(name, Long.parseLong(words[0]), Long::sum);
            } catch (IOException e) {
                // It has ended between the listing and the look, and takes nothing any more.
                continue;
            }
        }
        return ns;
    }
}
