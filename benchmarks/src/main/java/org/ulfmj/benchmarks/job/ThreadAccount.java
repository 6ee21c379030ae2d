package org.ulfmj.benchmarks.job;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a job's threads have used of the processors, process by process. */
public final class ThreadAccount {
    private static final String LAUNCHER = "the launcher";

    private final Map<Long, Map<String, Long>> ns = new LinkedHashMap<>();

    /** Up to now, for the processes that live. */
    public static ThreadAccount of(MeasuredJob job) throws IOException {
        ThreadAccount account = new ThreadAccount();
        for (long pid : job.livingPids()) {
            Map<String, Long> kinds = new LinkedHashMap<>();
            boolean isRank = job.isRank(pid);
            ThreadTimes.byName(pid)
                    .forEach((name, time) -> kinds.merge(isRank ? kind(name) : LAUNCHER, time, Long::sum));
            account.ns.put(pid, kinds);
        }
        return account;
    }

    /** What the threads of a rank with that name are for. */
    public static String kind(String thread) {
        if (thread.startsWith("C1 ") || thread.startsWith("C2 ")) {
            return "the ranks' compilers";
        }
        return switch (thread) {
            case "java", "main" -> "the ranks' programs and calls";
            case "ulfm-progress" -> "the ranks' progress threads";
            default -> "the ranks' other threads";
        };
    }

    /**
     * Nanoseconds since the earlier one, by what the threads are for; what a process used that is gone now is not in
     * it.
     */
    public Map<String, Long> since(ThreadAccount earlier) {
        Map<String, Long> passed = new LinkedHashMap<>();
        ns.forEach((pid, kinds) -> {
            Map<String, Long> before = earlier.ns.getOrDefault(pid, Map.of());
            // A thread that has ended meanwhile takes its account with it.
            kinds.forEach(
                    (kind, time) -> passed.merge(kind, Math.max(0, time - before.getOrDefault(kind, 0L)), Long::sum));
        });
        return passed;
    }
}
