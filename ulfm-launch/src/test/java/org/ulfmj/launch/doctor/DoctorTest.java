package org.ulfmj.launch.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.command.UsageException;
import org.ulfmj.launch.program.Installation;

/** Tests the doctor on a folder that looks like the root of a system. */
class DoctorTest {
    private static final String LIMITS =
            "Limit                     Soft Limit           Hard Limit           Units     \n"
                    + "Max processes             %s                 %s                 processes \n"
                    + "Max open files            %s                 %s                 files     \n"
                    + "Max locked memory         65536                65536                bytes     \n";

    @TempDir
    Path root;

    private final Map<String, String> environment = new TreeMap<>();
    private Path cache;

    @BeforeEach
    void makeHealthySystem() throws IOException {
        cache = root.resolve("home/cache/ulfm");
        write("/proc/self/status", "Name: java\nCpus_allowed_list:\t0-3\n");
        write("/proc/self/cgroup", "0::/a/b\n");
        write("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
        write("/proc/self/limits", LIMITS.formatted("9000", "9000", "1024", "4096"));
        write("/proc/sys/kernel/hostname", "localhost\n");
        Files.createDirectories(root.resolve("dev/shm"));
        for (String program : List.of("setsid", "taskset")) {
            write("/usr/bin/" + program, "");
            assertThat(root.resolve("usr/bin/" + program).toFile().setExecutable(true))
                    .isTrue();
        }
        for (String tool : List.of("java", "javac")) {
            write("/jdk/bin/" + tool, "");
            assertThat(root.resolve("jdk/bin/" + tool).toFile().setExecutable(true))
                    .isTrue();
        }
        write("/ulfm.jar", "");
    }

    @Test
    void shouldFindNothingToChangeOnAHealthySystem() {
        Doctor doctor = doctor("4");
        assertThat(doctor.lines())
                .contains(
                        "cores: 4 (0-3)",
                        "processor quota: none",
                        "open files: at most 1024, may be raised to 4096",
                        "processes: at most 9000",
                        "locked memory: at most 65536 (a job locks none)",
                        "host name: localhost is 127.0.0.1",
                        "taskset: /usr/bin/taskset",
                        "options in variables: none",
                        "cache: " + cache,
                        "nothing to change");
        assertThat(doctor.hasAdvice()).isFalse();
    }

    @Test
    void shouldSayWhatIsTooLittleForTheRanks() throws IOException {
        write("/sys/fs/cgroup/a/cpu.max", "150000 100000\n");
        write("/proc/self/limits", LIMITS.formatted("unlimited", "unlimited", "64", "133"));
        assertThat(advice("8"))
                .containsExactly(
                        "  cores: 8 ranks would share 4 cores: start at most 4, or expect messages to take milliseconds",
                        "  processor quota: the control group gives 1.5 cores to 8 ranks, which stops all of them now and then:"
                                + " raise it (docker run --cpus), or start fewer ranks",
                        "  open files: 8 ranks need about 144 open files: raise the limit (ulimit -n,"
                                + " /etc/security/limits.conf)");
        write("/proc/self/limits", LIMITS.formatted("100", "unlimited", "64", "4096"));
        assertThat(advice("4"))
                .contains("  processes: 4 ranks need about 128 processes: raise the limit (ulimit -u,"
                        + " /etc/security/limits.conf)");
    }

    @Test
    void shouldReadTheQuotaOfOldControlGroups() throws IOException {
        write("/proc/self/cgroup", "3:cpu:/a\n");
        write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
        write("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
        assertThat(doctor("4").lines()).contains("processor quota: none");
        write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000\n");
        assertThat(doctor("1").lines()).contains("processor quota: 0.5 cores");
    }

    @Test
    void shouldSayWhatIsMissing() throws IOException {
        Files.delete(root.resolve("dev/shm"));
        Files.delete(root.resolve("usr/bin/taskset"));
        Files.delete(root.resolve("jdk/bin/javac"));
        Files.delete(root.resolve("ulfm.jar"));
        write("/proc/sys/kernel/hostname", "no-such-host.invalid\n");
        write("/home/cache", "a file");
        assertThat(advice("2"))
                .containsExactly(
                        "  Java: there is no javac, which mpijavac needs: install a JDK",
                        "  ulfm.jar: build it: mvn package",
                        "  cache: ranks start slower without it: set XDG_CACHE_HOME to a directory that you may write",
                        "  shared memory: mount a tmpfs at /dev/shm; without it ranks use TCP, which is slower, and"
                                + " ulfm.shm.dir names another place",
                        "  host name: the name of this host cannot be looked up: add a line '127.0.1.1"
                                + " no-such-host.invalid' to /etc/hosts",
                        "  taskset: install util-linux, which brings taskset: without it ranks cannot be bound to cores");
    }

    @Test
    void shouldLookAtTheEnvironment() {
        environment.putAll(Map.of(
                "ULFM_FD_TIMEOUT", "2s",
                "JAVA_TOOL_OPTIONS", "-Xmx1g",
                "OMPI_MCA_btl", "self",
                "MPIEXEC_TIMEOUT", "9",
                "JAVA_HOME", "/elsewhere"));
        assertThat(doctor("2").lines())
                .contains(
                        "options in variables: ULFM_FD_TIMEOUT=2s",
                        "other variables: JAVA_TOOL_OPTIONS=-Xmx1g, OMPI_MCA_btl=self, MPIEXEC_TIMEOUT=9",
                        "  Java: JAVA_HOME is /elsewhere, where there is no Java 17 or later: set it to one, or unset it");
        environment.put("ULFM_FD_TIEMOUT", "2s");
        environment.put("ULFM_SHM_DIR", "/nowhere");
        assertThat(advice("2"))
                .anyMatch(line ->
                        line.startsWith("  options in variables: environment variable ULFM_FD_TIEMOUT is no option;"
                                + " the nearest known one is ULFM_FD_TIMEOUT"));
        environment.remove("ULFM_FD_TIEMOUT");
        assertThat(advice("2")).anyMatch(line -> line.startsWith("  shared memory: mount a tmpfs at /nowhere"));
    }

    @Test
    void shouldSayHowItIsAsked() {
        for (String words : List.of("0", "4097", "x", "-n", "-np 3", "-n 2 3")) {
            assertThatThrownBy(() -> doctor(words.split(" ")))
                    .isInstanceOf(UsageException.class)
                    .hasMessage("doctor: '" + words
                            + "' is not allowed; allowed: the number of ranks that you want to start, 1 to 4096,"
                            + " or --host and other options about hosts");
        }
        assertThat(doctor("-n", "2").hasAdvice()).isFalse();
        assertThat(doctor().lines()).contains("cores: 4 (0-3)");
    }

    @Test
    void shouldTakeAFileOfHostsUnderEachOfItsNames() throws IOException {
        write("/hosts", "localhost\n");
        for (String option : List.of("--hostfile", "-hostfile", "--machinefile", "-machinefile", "-f")) {
            assertThat(doctor(option, root.resolve("hosts").toString()).lines())
                    .as(option)
                    .contains("hosts: this one alone");
        }
    }

    private List<String> advice(String ranks) {
        List<String> lines = doctor(ranks).lines();
        return lines.subList(lines.indexOf("to change:") + 1, lines.size());
    }

    private Doctor doctor(String... arguments) {
        Installation installation =
                new Installation(root.resolve("ulfm.jar"), root.resolve("examples.jar"), root.resolve("jdk/bin/java"));
        return new Doctor(installation, environment, cache, root, List.of(arguments), root);
    }

    private void write(String name, String text) throws IOException {
        Path file = root.resolve(name.substring(1));
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
