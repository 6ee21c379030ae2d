package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Finds the addresses at which the processes of a running job on this host listen, mostly by {@code /proc}. */
final class Doors {
    private static final String LISTENS = "0A";
    /** The state in {@code /proc} of a datagram socket to which every process may send. */
    private static final String OPEN = "07";

    private static final List<String> TCP = List.of("/proc/net/tcp", "/proc/net/tcp6");
    private static final List<String> UDP = List.of("/proc/net/udp", "/proc/net/udp6");

    private Doors() {}

    /**
     * Returns the addresses at which a job accepts connections: a TCP port of the launcher, and a TCP port and a
     * lifeline socket of each rank; null while some of them are not there yet.
     */
    static List<SocketAddress> of(ProcessHandle launcher, int ranks) throws IOException {
        List<ProcessHandle> processes = ranksOf(launcher);
        List<SocketAddress> doors = new ArrayList<>();
        for (int port : new TreeSet<>(ports(launcher.pid(), TCP, LISTENS))) {
            doors.add(new InetSocketAddress("127.0.0.1", port));
        }
        if (processes.size() != ranks || doors.isEmpty()) {
            return null;
        }
        for (ProcessHandle process : processes) {
            for (int port : new TreeSet<>(ports(process.pid(), TCP, LISTENS))) {
                doors.add(new InetSocketAddress("127.0.0.1", port));
            }
        }
        Path directory =
                Path.of(environment(processes.get(0).pid()).get("ULFM_CONF")).getParent();
        try (Stream<Path> files = Files.list(directory)) {
            files.filter(file -> file.getFileName().toString().startsWith("life."))
                    .sorted()
                    .forEach(file -> doors.add(UnixDomainSocketAddress.of(file)));
        }
        return doors.size() == 1 + 2 * ranks ? doors : null;
    }

    /** Returns the addresses of the UDP ports at which datagrams wake the ranks of a running job. */
    static List<SocketAddress> bells(ProcessHandle launcher) throws IOException {
        List<SocketAddress> bells = new ArrayList<>();
        for (ProcessHandle process : ranksOf(launcher)) {
            for (int port : ports(process.pid(), UDP, OPEN)) {
                bells.add(new InetSocketAddress("127.0.0.1", port));
            }
        }
        return bells;
    }

    /** Waits until {@link #of} finds all addresses, and returns them; fails at the time limit or if the job ends. */
    static List<SocketAddress> await(Process job, int ranks, long limitSeconds) throws IOException {
        long boundNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(limitSeconds);
        List<SocketAddress> doors = null;
        while (doors == null) {
            assertThat(job.isAlive()).isTrue();
            assertThat(System.nanoTime()).as("all ranks listen").isLessThan(boundNs);
            LockSupport.parkNanos(20_000_000);
            doors = of(job.toHandle(), ranks);
        }
        return doors;
    }

    /**
     * Returns the local addresses, as {@code /proc} writes them, of sockets on which these processes listen for
     * connections, or take datagrams from any address.
     */
    static List<String> boundTo(List<ProcessHandle> processes) throws IOException {
        List<String> addresses = new ArrayList<>();
        for (ProcessHandle process : processes) {
            addresses.addAll(locals(process.pid(), TCP, LISTENS));
            addresses.addAll(locals(process.pid(), UDP, OPEN));
        }
        return addresses;
    }

    /** Whether a local address is 127.0.0.1, in the family of IPv4 or mapped into that of IPv6. */
    static boolean isLoopback(String local) {
        String host = local.substring(0, local.indexOf(':'));
        return host.equals("0100007F") || host.equals("0000000000000000FFFF00000100007F");
    }

    static List<ProcessHandle> ranksOf(ProcessHandle launcher) {
        return launcher.descendants()
                .filter(process -> environment(process.pid()).containsKey("ULFM_RANK"))
                .toList();
    }

    static Map<String, String> environment(long pid) {
        Map<String, String> variables = new HashMap<>();
        try {
            String all = new String(Files.readAllBytes(Path.of("/proc/" + pid + "/environ")), StandardCharsets.UTF_8);
            for (String variable : all.split("\0")) {
                int equals = variable.indexOf('=');
                if (equals > 0) {
                    variables.put(variable.substring(0, equals), variable.substring(equals + 1));
                }
            }
        } catch (IOException gone) {
            // Then it has none.
        }
        return variables;
    }

    private static List<Integer> ports(long pid, List<String> tables, String state) throws IOException {
        List<Integer> ports = new ArrayList<>();
        for (String local : locals(pid, tables, state)) {
            ports.add(Integer.parseInt(local.substring(local.indexOf(':') + 1), 16));
        }
        return ports;
    }

    private static List<String> locals(long pid, List<String> tables, String state) throws IOException {
        List<String> sockets = new ArrayList<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            for (Path descriptor : descriptors.toList()) {
                try {
                    sockets.add(Files.readSymbolicLink(descriptor).toString());
                } catch (IOException closed) {
                    // It was open a moment ago.
                }
            }
        } catch (NoSuchFileException | UncheckedIOException gone) {
            // The process has ended, as the launcher's helpers do when their work is done, and so listens nowhere.
            return List.of();
        }
        List<String> locals = new ArrayList<>();
        for (String table : tables) {
            for (String line : Files.readAllLines(Path.of(table))) {
                String[] fields = line.trim().split(" +");
                if (fields.length > 9 && fields[3].equals(state) && sockets.contains("socket:[" + fields[9] + "]")) {
                    locals.add(fields[1]);
                }
            }
        }
        return locals;
    }
}
