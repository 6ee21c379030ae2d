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

/** Waits of a test for events of which it gets no notice: processes that end, files that come and go. */
final class Waiting {
    /** The longest wait. An event that takes a second on an idle machine is given a minute. */
    private static final long BOUND_NS = TimeUnit.SECONDS.toNanos(60);

    private static final long PAUSE_NS = 5_000_000;

    /** May read files. */
    interface Condition {
        boolean holds() throws IOException;
    }

    private Waiting() {}

    /**
     * @param state gives the text that describes the present state in the error, if the wait was in vain
     * @param state said when the wait was in vain
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

    /** Whether a process runs; one that is dead and not yet waited for does not. */
    static boolean isAlive(long pid) {
        try (ProcessStat state = ProcessStat.open(pid)) {
            return state != null && "ZX-".indexOf(state.readState()) < 0;
        }
    }
}
