package org.ulfmj.benchmarks.job;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** The processor time of a job's threads, process by process. */
public final class ThreadAccount {
    private static final String LAUNCHER = "the launcher";

    private final Map<Long, Map<String, Long>> ns = new LinkedHashMap<>();

    /** Returns the processor times so far of the living threads of the job's live processes. */
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

    /** The purpose of a rank's thread with that name, in words for a reader. */
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
     * Nanoseconds since the earlier account, by the purpose of the threads. The time of processes and threads that have
     * ended meanwhile is lost.
     */
    public Map<String, Long> since(ThreadAccount earlier) {
        Map<String, Long> passed = new LinkedHashMap<>();
        ns.forEach((pid, kinds) -> {
            Map<String, Long> before = earlier.ns.getOrDefault(pid, Map.of());
            // The time of a thread that has ended meanwhile is lost, so the difference may be negative.
            kinds.forEach(
                    (kind, time) -> passed.merge(kind, Math.max(0, time - before.getOrDefault(kind, 0L)), Long::sum));
        });
        return passed;
    }
}
