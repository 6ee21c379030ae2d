package org.ulfmj.rendezvous.etcd;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * An etcd server with one member on this machine, as a child process: for tests, and for jobs that run on one machine.
 * It listens on a free port of the loopback address, and keeps its data in a separate directory, which is deleted with
 * it.
 *
 * <p>The program is {@code etcd} of the search path, unless the environment variable {@link #BINARY} names another.
 * {@link #close} ends the server. So does the end of this virtual machine, if it runs its shutdown hooks.
 *
 * <p>Any thread may call.
 */
public final class EtcdServer implements AutoCloseable {
    /** The environment variable with the path of the program. */
    public static final String BINARY = "ULFM_ETCD_BINARY";

    private static final long READY_NS = 60_000_000_000L;
    private static final int LOG_LINES = 20;
    private static final int MOST_PORTS = 3;
    /** What etcd's log says if another process has its port. */
    private static final String PORT_IS_TAKEN = "address already in use";

    private final Path directory;
    private final List<String> command;
    private final int port;
    private final EtcdClient client;
    private final Thread hook = new Thread(this::end, "ulfm-etcd-end");
    private Process process;

    private EtcdServer(Path binary, Path directory, int port) {
        this.directory = directory;
        this.port = port;
        this.client = new EtcdClient(EtcdAccess.of(URI.create("http://" + endpoint())));
        String url = "http://" + endpoint();
        // There are no other members, so no process dials this address; the real port is any free one.
        String peer = "http://127.0.0.1:1";
        this.command = List.of(
                binary.toString(),
                "--name=ulfm",
                "--data-dir=" + directory.resolve("data"),
                "--listen-client-urls=" + url,
                "--advertise-client-urls=" + url,
                "--listen-peer-urls=http://127.0.0.1:0",
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=ulfm=" + peer);
    }

    /**
     * The path of the program that would be started: the value of {@link #BINARY}, or else etcd in the search path;
     * null if there is neither.
     */
    public static Path binary() {
        String named = System.getenv(BINARY);
        if (named != null && !named.isEmpty()) {
            return Path.of(named);
        }
        String path = System.getenv("PATH");
        for (String folder : path == null ? new String[0] : path.split(":")) {
            Path file = Path.of(folder.isEmpty() ? "." : folder, "etcd");
            if (Files.isExecutable(file) && Files.isRegularFile(file)) {
                return file;
            }
        }
        return null;
    }

    /**
     * Starts a server, and waits until it answers.
     *
     * @throws IOException if there is no such program, or if it ends or does not answer within a minute: then the
     *     message has the end of its log
     */
    public static EtcdServer start() throws IOException {
        Path binary = binary();
        if (binary == null) {
            throw new IOException("there is no program etcd in the search path; install it (Debian: etcd-server),"
                    + " or name it in " + BINARY);
        }
        return start(binary);
    }

    /** As {@link #start()}, with another program. */
    public static EtcdServer start(Path binary) throws IOException {
        for (int left = MOST_PORTS; ; left--) {
            EtcdServer server = new EtcdServer(binary, Files.createTempDirectory("ulfm-etcd"), freePort());
            Runtime.getRuntime().addShutdownHook(server.hook);
            try {
                server.restart();
                return server;
            } catch (IOException | RuntimeException e) {
                server.close();
                // Another process may take a port between the moment at which it is found free and the start of etcd.
                if (left == 1 || !String.valueOf(e.getMessage()).contains(PORT_IS_TAKEN)) {
                    throw e;
                }
            }
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        }
    }

    /** The address of the server, as {@code host:port}. It stays the same after {@link #restart}. */
    public String endpoint() {
        return "127.0.0.1:" + port;
    }

    Path directory() {
        return directory;
    }

    /** The pid of the server's process; after {@link #kill} that of the ended one. */
    public synchronized long pid() {
        return process.pid();
    }

    /** Starts the server again on the same port with the same data, after {@link #kill}. Waits until it answers. */
    public synchronized void restart() throws IOException {
        if (process != null && process.isAlive()) {
            throw new IllegalStateException("etcd runs: process " + process.pid());
        }
        Path log = directory.resolve("log");
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new IOException("etcd cannot be started: " + e.getMessage(), e);
        }
        long untilNs = System.nanoTime() + READY_NS;
        while (true) {
            try {
                client.get(new byte[] {1}, System.nanoTime() + READY_NS / 600);
                return;
            } catch (EtcdFailure notYet) {
                if (!process.isAlive()) {
                    throw new IOException("etcd has ended with code " + process.exitValue() + ": " + endOf(log));
                }
                if (System.nanoTime() - untilNs >= 0) {
                    throw new IOException("etcd does not answer (" + notYet.getMessage() + "): " + endOf(log));
                }
            }
        }
    }

    private static String endOf(Path log) throws IOException {
        List<String> lines = new ArrayList<>(
                Files.readString(log, StandardCharsets.UTF_8).lines().toList());
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
    }

    /** Ends the process by SIGKILL, and keeps its data: a fault for tests. Returns once it has ended. */
    public synchronized void kill() {
        process.destroyForcibly();
        await(process);
    }

    private static void await(Process process) {
        boolean interrupted = false;
        while (process.isAlive()) {
            try {
                process.waitFor(1, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the process, and deletes its data. May be called more than once. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // The hook runs, or is about to.
        }
        end();
    }

    private synchronized void end() {
        client.close();
        if (process != null) {
            kill();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException goneAlready) {
            // Files that are left stay in the system's directory for temporary files.
        }
    }
}
