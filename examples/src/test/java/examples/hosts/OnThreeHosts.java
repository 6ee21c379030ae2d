package examples.hosts;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import examples.RunningCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The base of tests of jobs on three hosts, in network namespaces. If a test says nothing else, each host has two
 * ranks, the detector's timeout is 1 s, and the lease 3 s. {@code .ci/hosts} runs each case of ManyHostsIT and
 * PartitionIT 20 times, or as often as its first argument says.
 */
@Timeout(600)
@ExtendWith(Ends.class)
abstract class OnThreeHosts {
    static final Duration LIMIT = Duration.ofSeconds(150);
    static final long HALF_A_SECOND_NS = 500_000_000;
    static final String BEGUN = "  6 ranks ";
    static final String ITERATIONS = "4000";

    Namespaces hosts;

    @BeforeEach
    void makeHosts() throws IOException {
        String obstacle = Namespaces.obstacle();
        assumeTrue(obstacle == null, obstacle);
        hosts = new Namespaces(3);
    }

    @AfterEach
    void removeHosts() throws IOException {
        if (hosts != null) {
            hosts.close();
        }
    }

    RunningCommand digits(boolean isIpv6) throws IOException {
        return start(isIpv6, "examples", "Digits", ITERATIONS);
    }

    RunningCommand start(boolean isIpv6, String... program) throws IOException {
        return start(Map.of(), isIpv6, program);
    }

    RunningCommand start(Map<String, String> environment, boolean isIpv6, String... program) throws IOException {
        String named = "localhost:2," + hosts.name(1) + ":2," + hosts.name(2) + ":2";
        return startOn(named, environment, isIpv6, program);
    }

    /** @param named the hosts of the job, as {@code mpiexec --host} takes them; mpiexec runs on host 0 */
    RunningCommand startOn(String named, Map<String, String> environment, boolean isIpv6, String... program)
            throws IOException {
        String mpiexec = Path.of("..", "bin", "mpiexec").toRealPath().toString();
        List<String> command = RunningCommand.joined(
                hosts.on(0),
                mpiexec,
                "--host",
                named,
                "--launcher-exec",
                "ip netns exec {host}",
                "--set",
                "ulfm.net.interface=" + (isIpv6 ? "fd77::/64" : "10.77.0.0/24"),
                "--set",
                "ulfm.fd.timeout=1s",
                "--set",
                "ulfm.rdzv.lease=3s");
        Map<String, String> variables = new TreeMap<>(environment);
        variables.put("JAVA_HOME", System.getProperty("java.home"));
        return RunningCommand.start(variables, RunningCommand.joined(command, program));
    }

    long launcher() throws IOException {
        return pidOf(0, "org.ulfmj.launch.Main");
    }

    long agent(int host) throws IOException {
        return pidOf(host, "--host-agent");
    }

    long pidOf(int host, String word) throws IOException {
        for (long pid : hosts.pids(host)) {
            String command = Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"));
            if (command.contains("java\0") && List.of(command.split("\0")).contains(word)) {
                return pid;
            }
        }
        throw new AssertionError("no " + word + " among the processes of host " + host);
    }

    /** Returns the process id of a rank on a host. */
    long pidOfRank(int host, int rank) throws IOException {
        for (long pid : hosts.pids(host)) {
            Path process = Path.of("/proc", Long.toString(pid));
            List<String> environment =
                    List.of(Files.readString(process.resolve("environ")).split("\0"));
            if (Files.readString(process.resolve("cmdline")).contains("java\0")
                    && environment.contains("ULFM_RANK=" + rank)) {
                return pid;
            }
        }
        throw new AssertionError("no rank " + rank + " among the processes of host " + host);
    }

    static void kill(long pid) throws IOException {
        signal("KILL", pid);
    }

    static void signal(String name, long pid) throws IOException {
        RunningCommand.output("kill", "-" + name, Long.toString(pid));
    }

    void awaitNoProcess(int host) throws IOException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!hosts.pids(host).isEmpty()) {
            if (System.nanoTime() - end > 0) {
                throw new RunningCommand.TooLate("processes are left on host " + host + ": "
                        + RunningCommand.output(
                                "ps",
                                "-fp",
                                String.join(
                                        ",",
                                        hosts.pids(host).stream()
                                                .map(String::valueOf)
                                                .toList())));
            }
            LockSupport.parkNanos(HALF_A_SECOND_NS / 10);
        }
    }
}
