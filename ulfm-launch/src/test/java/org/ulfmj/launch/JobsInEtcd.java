package org.ulfmj.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.rendezvous.embed.RendezvousUrl;
import org.ulfmj.rendezvous.etcd.EtcdBackend;
import org.ulfmj.rendezvous.etcd.EtcdOffice;
import org.ulfmj.rendezvous.etcd.EtcdServer;

/**
 * The base of tests of jobs whose coordinator is elected in a real etcd; each test has its own etcd. The ranks write
 * lines into files of a directory.
 */
abstract class JobsInEtcd {
    static final long SECOND_NS = 1_000_000_000;

    @TempDir
    Path directory;

    long leaseSeconds = 2;
    EtcdServer etcd;
    private Launched first;

    @BeforeEach
    void startEtcd() throws IOException {
        Assumptions.assumeTrue(
                EtcdServer.binary() != null,
                "no etcd here (Debian: apt-get install etcd-server, or name it in " + EtcdServer.BINARY + ")");
        etcd = EtcdServer.start();
    }

    @AfterEach
    void stopEtcd() {
        if (etcd != null) {
            etcd.close();
        }
    }

    final String url() {
        return "etcd://" + etcd.endpoint() + "/job-1?lease=" + leaseSeconds;
    }

    final Launched start(String... command) {
        Launched started = Launched.start(Map.of("XDG_RUNTIME_DIR", directory.toString()), command);
        first = first == null ? started : first;
        return started;
    }

    /**
     * Waits until {@code count} processes have written their pids, and returns the pids by the number that each process
     * has written with it: its rank or its number.
     */
    final Map<String, Long> pids(int count) throws IOException, InterruptedException {
        Map<String, Long> pids = new TreeMap<>();
        for (String line : lines("pids", count)) {
            pids.put(line.split(" ")[0], Long.valueOf(line.split(" ")[1]));
        }
        return pids;
    }

    /**
     * Waits until a file has at least this many lines, and returns all of them. If they do not come, fails and says
     * what has become of the test's first job.
     */
    final List<String> lines(String file, int count) throws IOException, InterruptedException {
        try {
            return Launched.awaitLines(directory.resolve(file), count);
        } catch (AssertionError missing) {
            throw new AssertionError(missing.getMessage() + "; " + first.fate(), missing);
        }
    }

    final void stop() throws IOException {
        Files.createFile(directory.resolve("stop"));
    }

    /** Says what etcd stores about the job; null if nothing. */
    final String found() {
        RendezvousUrl url = RendezvousUrl.parse(url(), new EtcdBackend().parameters());
        try (EtcdOffice look = EtcdOffice.of(url, null, false, null)) {
            byte[] place = look.findPlace(System.nanoTime() + 60 * SECOND_NS);
            String others = look.findOthers(System.nanoTime() + 60 * SECOND_NS);
            return others == null && place != null ? "has left its place" : others;
        }
    }

    final void awaitNothingFound() throws IOException {
        Waiting.until(() -> found() == null, () -> "etcd still keeps: " + found());
    }
}
