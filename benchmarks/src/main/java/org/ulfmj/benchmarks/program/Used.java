package org.ulfmj.benchmarks.program;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.ulfmj.benchmarks.job.ThreadAccount;
import org.ulfmj.benchmarks.job.ThreadTimes;

/** The processor time of the threads of this process. */
final class Used {
    /**
     * The kernel's name of two threads: the thread that runs main, and the first thread of the process, which has
     * started the virtual machine.
     */
    private static final String MAIN = "java";

    private Used() {}

    /** Processor time of the calling thread in nanoseconds, read by as little code as possible. */
    static long ns() throws IOException {
        try (FileInputStream account = new FileInputStream("/proc/thread-self/schedstat")) {
            byte[] bytes = new byte[64];
            int length = account.read(bytes);
            String text = new String(bytes, 0, length, StandardCharsets.US_ASCII);
            return Long.parseLong(text.substring(0, text.indexOf(' ')));
        }
    }

    /**
     * Prints lines of {@code used}, the nanoseconds and their purpose.
     *
     * @param untilMainNs processor time of the calling thread when the program began
     */
    static void print(long untilMainNs) throws IOException {
        long now = ns();
        StringBuilder text = new StringBuilder();
        ThreadTimes.byName(ProcessHandle.current().pid())
                .forEach((name, ns) -> line(
                        text,
                        name.equals(MAIN) ? Math.max(0, ns - now) + untilMainNs : ns,
                        name.equals(MAIN) ? "the ranks' virtual machines until main" : ThreadAccount.kind(name)));
        line(text, now - untilMainNs, "the ranks' programs from Init to Finalize");
        System.out.print(text);
    }

    private static void line(StringBuilder text, long ns, String what) {
        text.append("used ").append(ns).append(' ').append(what).append('\n');
    }
}
