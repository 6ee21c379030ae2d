package org.ulfmj.benchmarks.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The processor time of the living threads of a process, as the scheduler counts it. */
public final class ThreadTimes {
    private ThreadTimes() {}

    /** Nanoseconds of all living threads of the process whose name begins with this text. */
    public static long ns(long pid, String name) throws IOException {
        long ns = 0;
        for (Map.Entry<String, Long> thread : byName(pid).entrySet()) {
            if (thread.getKey().startsWith(name)) {
                ns += thread.getValue();
            }
        }
        return ns;
    }

    /**
     * Nanoseconds of the living threads by their names, which the kernel cuts to 15 characters; threads of one name are
     * added up.
     */
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
                // The thread has ended since the listing, and uses no more time.
                continue;
            }
        }
        return ns;
    }
}
