package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.ulfmj.transport.host.ProcessStat;

/** Lets a test wait for events of which it gets no notice, such as processes that end, or files that appear. */
final class Waiting {
    /** The longest wait before a test fails: a minute, for events that take a second on an idle machine. */
    private static final long BOUND_NS = TimeUnit.SECONDS.toNanos(60);

    private static final long PAUSE_NS = 5_000_000;

    /** May read files. */
    interface Condition {
        boolean holds() throws IOException;
    }

    private Waiting() {}

    /**
     * @param condition asked again and again, until it holds
     * @param state gives the text for the error if the condition never holds
     */
    static void until(Condition condition, Supplier<String> state) throws IOException {
        long beginNs = System.nanoTime();
        while (!condition.holds()) {
            if (System.nanoTime() - beginNs > BOUND_NS) {
                fail("in vain for %d s: %s", TimeUnit.NANOSECONDS.toSeconds(BOUND_NS), state.get());
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    static boolean isEmpty(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.findAny().isEmpty();
        }
    }

    /** Whether a process runs; one that is dead but not yet reaped does not. */
    static boolean isAlive(long pid) {
        try (ProcessStat state = ProcessStat.open(pid)) {
            return state != null && "ZX-".indexOf(state.readState()) < 0;
        }
    }
}
