package org.ulfmj.launch.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.launch.hosts.HostSlots;

class HostDiscoveryTest implements HostDiscovery.Listener {
    private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);
    private static final int RUNS = 6;

    @TempDir
    Path directory;

    private final BlockingQueue<String> results = new LinkedBlockingQueue<>();

    /**
     * Each run makes a directory as a lock, and removes it in the end. If two runs overlapped, the second would find
     * the lock and print nothing.
     */
    @Test
    void shouldAskAgainAndAgainAndNeverTwiceAtOnce() throws Exception {
        Path lock = directory.resolve("lock");
        String line = "mkdir " + lock + " && sleep 0.05 && rmdir " + lock + " && echo a:7";
        try (HostDiscovery discovery = discovery(line, 1, MINUTE_NS)) {
            discovery.start();
            for (int i = 0; i < RUNS; i++) {
                assertThat(next()).isEqualTo("7");
            }
        }
    }

    @Test
    void shouldGoOnAfterEachFailure() throws Exception {
        Path count = directory.resolve("count");
        String line = "echo x >> " + count + "; case $(wc -l < " + count
                + ") in 1) exit 5;; 2) sleep 600;; 3) echo '?';;" + " *) echo a:8;; esac";
        try (HostDiscovery discovery = discovery(line, 1, TimeUnit.SECONDS.toNanos(2))) {
            discovery.start();
            assertThat(next()).isEqualTo("EXIT_CODE");
            assertThat(next()).isEqualTo("TIME_OVER");
            assertThat(next()).isEqualTo("NO_HOSTS");
            assertThat(next()).isEqualTo("8");
        }
    }

    @Test
    void shouldEndTheCommandWhenItIsClosed() throws Exception {
        Path pid = directory.resolve("pid");
        HostDiscovery discovery =
                discovery("echo $$ > " + pid + ".new; mv " + pid + ".new " + pid + "; sleep 600; true", 1, MINUTE_NS);
        discovery.start();
        long beganNs = System.nanoTime();
        while (!Files.exists(pid)) {
            assertThat(System.nanoTime() - beganNs).isLessThan(MINUTE_NS);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        discovery.close();
        DiscoveryCommandTest.awaitEnd(Long.parseLong(Files.readString(pid).trim()));
        assertThat(results).isEmpty();
    }

    private HostDiscovery discovery(String line, long intervalNs, long limitNs) {
        return new HostDiscovery(line, intervalNs, limitNs, Map.of(), directory, this);
    }

    private String next() throws InterruptedException {
        return results.poll(MINUTE_NS, TimeUnit.NANOSECONDS);
    }

    @Override
    public void found(List<HostSlots> hosts) {
        results.add(Integer.toString(hosts.get(0).slots()));
    }

    @Override
    public void failed(DiscoveryFailure failure) {
        results.add(failure.kind().name());
    }
}
