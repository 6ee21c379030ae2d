package org.ulfmj.launch.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.command.UsageException;
import org.ulfmj.launch.hosts.AgentStart;
import org.ulfmj.launch.hosts.AgentStart.Kind;
import org.ulfmj.launch.hosts.JobHosts;
import org.ulfmj.launch.program.ArgumentFile;
import org.ulfmj.launch.program.Installation;

/**
 * Tests which hosts a job has, which of them gets which process, and how agents are started, from the command line and
 * the environment to the request.
 */
class HostOptionsTest {
    private static final String SRUN =
            "srun --ntasks-per-node=1 --overlap --cpu-bind=none --mpi=none --kill-on-bad-exit=0"
                    + " --no-kill --wait=0 --export=ALL";

    @TempDir
    Path directory;

    private final Map<String, String> environment = new TreeMap<>(Map.of("PATH", "/nowhere:/bin:/usr/bin"));

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "--host a:2,b sh~a:2 b:1~001",
                "-H b --host a:2,b sh~b:2 a:2~0011",
                "--hosts a:4,localhost:2,127.0.0.1 -n 6 sh~a:4 localhost:3!~000011",
                "--host a:2,b:2 --map-by node -n 3 sh~a:2 b:2~010",
                "--host a,b -n 5 --oversubscribe sh~a:1 b:1~00011",
                "--host a,b -n 4 -map-by slot:OVERSUBSCRIBE sh~a:1 b:1~0011",
                "--host a,b,c:8 -N 2 sh~a:1 b:1 c:8~001122",
                "--host a:8,b:8 -ppn 3 -n 4 sh~a:8 b:8~0001",
                "--host a:2,b -n 2:8 sh~a:2 b:1~001",
                "--host a:2,b:8 -n 2:3 sh~a:2 b:8~001",
                "--host a,b -n 2:5 --oversubscribe sh~a:1 b:1~00011",
                "--host a,b:8,c:1 -N 2 -n 4:9 sh~a:1 b:8 c:1~00112",
                // A host that gets no process at first does not belong to the job, unless restarts or spares may bring
                // a process there.
                "--host a:2,b:2 -n 2 sh~a:2~00",
                "--host a:2,b:2 -n 2 --max-restarts 1 sh~a:2 b:2~00",
                "--host localhost:1,b:2 -n 1 --spares 1 sh~localhost:1! b:2~0",
                // A program runs on the hosts that it names, or else on the slots that the other programs leave.
                "-n 1 --host a:2 sh : --host b:2 sh~a:2 b:2~011",
                "-n 1 --host a:2,b:2 sh : -n 3 sh~a:2 b:2~0011",
                "-n 1 sh : -n 2 --host a:2,b:2 sh : -n 1 sh~a:2 b:2~1001",
                "-n 1 --host a:2 sh : -n 1 --host a:2 sh~a:4~00",
            })
    void shouldPlaceProcesses(String line, String hosts, String slots) {
        JobHosts job = parse(line).hosts();
        assertThat(described(job)).isEqualTo(hosts);
        assertThat(job.hostOfSlot().stream().map(String::valueOf).collect(Collectors.joining()))
                .isEqualTo(slots);
        assertThat(parse(line).size()).isEqualTo(slots.length());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "-n 5 --host localhost:2 sh~5",
                "--host localhost:2,localhost sh~3",
                "--host localhost -N 4 sh~4",
                "--host localhost:2,b:2 -n 2 sh~2",
                "-n 2 --launcher ssh sh~2",
                "-n 2 sh~2",
                "-n 2:5 --oversubscribe sh~5",
                "-n 2:5 --host localhost:3 sh~3",
            })
    void shouldHaveNoHostsWhereAllProcessesRunHere(String line, int size) {
        assertThat(parse(line).hosts()).isNull();
        assertThat(parse(line).size()).isEqualTo(size);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "--host a,b -n 3 sh~-n: 3 processes, but 2 hosts have 2 slots; add --oversubscribe, or slots behind the names"
                        + " of hosts, as in --host a:4,b:4",
                "--host a:8,b:8 -N 2 -n 5 --oversubscribe sh~-n: 5 processes, but 2 hosts have 4 slots, and no host may have"
                        + " more (max_slots, -N)",
                "--host a,b -n 3:4 sh~-n 3:4: at least 3 processes, but the hosts have 2 slots",
                "--host a -n 2:4 sh~-n 2:4: at least 2 processes, but the hosts have 1 slot",
                "-n 4:2 sh~-n 4:2: the greatest number is below the least",
                "-n 0:2 sh~-n: 0 processes; allowed: 1 to 4096",
                "-n 2: sh~-n: '' is no whole number",
                "-n 2:x sh~-n: 'x' is no whole number",
                "-n 1 sh : -n 1:2 sh~-n 1:2: a least and a greatest number are for a job of one program",
                "--host a -N 4097 sh~-N: 4097 processes; allowed: 1 to 4096",
                "--host a,b -N 4000 sh~-N: 8000 processes; allowed: 1 to 4096",
                "--host a:0 sh~--host a:0: '0' is no number of slots; allowed: 1 or more, and nothing for 1",
                "--host a:5000 sh~how many processes? Write mpiexec -n N ...",
                "--host a --launcher pigeon sh~--launcher: 'pigeon' is not allowed; allowed: ssh | slurm | manual",
                "--host a --launcher slurm sh~--launcher slurm: this is no job of Slurm (SLURM_JOB_ID and SLURM_JOB_NODELIST"
                        + " are not set); start mpiexec by sbatch or salloc",
                "--host a --launcher manual --launcher-exec x sh~--launcher-exec: with --launcher manual you start the"
                        + " agents; leave one of the two out",
                "--host a --launcher-exec x_{host} --ssh-args y sh~--ssh-args: write them into the command of"
                        + " --launcher-exec, which says by {host} where the name of the host goes",
                "--host a --launcher-exec '' sh~--launcher-exec: there is no command in it",
            })
    void shouldSayWhatIsWrong(String line, String message) {
        assertThatThrownBy(() -> parse(line)).isInstanceOf(UsageException.class).hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource({"a:2, 2", "'a,b', 3", "'localhost,b', 2"})
    void shouldWarnOfOtherHostsWithoutEncryption(String names, int hosts) {
        String line = "--host " + names + " --set ulfm.net.protect=none sh";
        assertThat(parse(line).warnings())
                .singleElement()
                .asString()
                .startsWith("ulfm.net.protect=none on " + hosts + " hosts: ");
        assertThat(parse("--host " + names + " sh").warnings()).isEmpty();
        assertThat(parse("-n 2 --set ulfm.net.protect=none sh").warnings()).isEmpty();
    }

    @Test
    void shouldReadFilesOfHosts() throws IOException {
        Path file =
                Files.writeString(directory.resolve("hosts"), "# mine\nnode1 slots=2 max_slots=3\nnode2:1\nnode1\n");
        for (String option : List.of("--hostfile", "-hostfile", "-machinefile", "-f")) {
            assertThat(described(parse(option + " " + file + " sh").hosts())).isEqualTo("node1:3 node2:1");
        }
        Files.writeString(file, "# none\n");
        assertThatThrownBy(() -> parse("--hostfile " + file + " sh"))
                .isInstanceOf(UsageException.class)
                .hasMessage("--hostfile " + file + ": there is no host in it");
    }

    @Test
    void shouldGiveTheProgramsOfAFileTheHostsOfTheCommandLine() throws IOException {
        Path programs = Files.writeString(directory.resolve("programs"), "-n 2 sh\n-n 1 --host c sh\n-n 1 sh\n");
        JobHosts job = parse("--host a:2,b:2 --app " + programs).hosts();
        assertThat(described(job)).isEqualTo("a:2 b:2 c:1");
        assertThat(job.hostOfSlot()).containsExactly(0, 0, 2, 1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "--host a~SSH~ssh -o BatchMode=yes a~true",
                "--host a --ssh-args '-p 2222 -o \"X Y\"'~SSH~ssh -p 2222 -o X Y -o BatchMode=yes a~true",
                "--host a --launcher rsh~SSH~ssh -o BatchMode=yes a~true",
                "--host a --launcher-exec 'ip netns exec {host}'~EXEC~ip netns exec a~false",
                "--host a --launcher ssh --launcher-exec 'my ssh'~EXEC~my ssh a~true",
                "--host a -launcher-exec my --ssh-args ' -q'~EXEC~my -q a~true",
                "--host a --mca plm_rsh_agent 'my : ssh'~EXEC~my a~true",
                "--host a --mca plm_rsh_args '-p 3'~SSH~ssh -p 3 -o BatchMode=yes a~true",
                "--host a --launcher manual --mca plm_rsh_agent my~MANUAL~~true",
            })
    void shouldStartAgentsAsTheUserWants(String line, String kind, String words, boolean isShell) {
        AgentStart agents = parse(line + " sh").hosts().agents();
        assertThat(agents.kind()).isEqualTo(Kind.valueOf(kind));
        assertThat(String.join(" ", agents.wordsFor(List.of("a")))).isEqualTo(words == null ? "" : words);
        assertThat(agents.isShell()).isEqualTo(isShell);
        assertThat(agents.isForAll()).isFalse();
        assertThat(agents.mostAtOnce()).isEqualTo(32);
    }

    @Test
    void shouldTakeTheVariablesThatTheMpiOperatorSets() throws IOException {
        Path file = Files.writeString(directory.resolve("hostfile"), "w-0.svc slots=2\nw-1.svc slots=2\n");
        environment.put("OMPI_MCA_orte_default_hostfile", file.toString());
        environment.put("OMPI_MCA_orte_keep_fqdn_hostnames", "true");
        environment.put("OMPI_MCA_plm_rsh_args", "-o ConnectionAttempts=10");
        LaunchRequest request = parse("sh");
        assertThat(request.size()).isEqualTo(4);
        assertThat(request.warnings()).isEmpty();
        assertThat(described(request.hosts())).isEqualTo("w-0.svc:2 w-1.svc:2");
        assertThat(String.join(" ", request.hosts().agents().wordsFor(List.of("w-1.svc"))))
                .isEqualTo("ssh -o ConnectionAttempts=10 -o BatchMode=yes w-1.svc");
        assertThat(described(parse("--host a sh").hosts())).isEqualTo("a:1");
        environment.put("OMPI_MCA_plm_rsh_agent", "/etc/mpi/kubexec.sh");
        environment.remove("OMPI_MCA_plm_rsh_args");
        environment.remove("OMPI_MCA_orte_default_hostfile");
        assertThat(parse("-n 2 sh").hosts()).isNull();
        environment.put("HYDRA_HOST_FILE", file.toString());
        request = parse("-n 3 sh");
        assertThat(request.hosts().hostOfSlot()).containsExactly(0, 0, 1);
        assertThat(String.join(" ", request.hosts().agents().wordsFor(List.of("w-1.svc"))))
                .isEqualTo("/etc/mpi/kubexec.sh w-1.svc");
        environment.put("HYDRA_HOST_FILE", "/no/such/file");
        assertThatThrownBy(() -> parse("-n 3 sh"))
                .hasMessage("HYDRA_HOST_FILE: cannot read /no/such/file: no such file or directory");
        assertThat(described(parse("--host a sh").hosts())).isEqualTo("a:1");
    }

    @Test
    void shouldTakeTheNodesOfASlurmJob() {
        slurm("n[1-3]", "2(x2),1", "3", "n1");
        LaunchRequest request = parse("sh");
        assertThat(request.size()).isEqualTo(5);
        assertThat(described(request.hosts())).isEqualTo("n1:2! n2:2 n3:1");
        AgentStart agents = request.hosts().agents();
        assertThat(agents.kind()).isEqualTo(Kind.SLURM);
        assertThat(agents.isForAll()).isTrue();
        assertThat(String.join(" ", agents.wordsFor(List.of("n2", "n3")))).isEqualTo(SRUN + " -N 2 -n 2 -w n2,n3");
        assertThat(parse("-n 2 sh").hosts()).isNull();
        assertThat(parse("-n 3 --map-by node sh").hosts().hostOfSlot()).containsExactly(0, 1, 2);
        assertThat(parse("--launcher ssh sh").hosts().agents().kind()).isEqualTo(Kind.SSH);
        assertThat(parse("--launcher-exec x sh").hosts().agents().kind()).isEqualTo(Kind.EXEC);
        AgentStart own =
                parse("--launcher slurm --launcher-exec /opt/srun sh").hosts().agents();
        assertThat(own.kind()).isEqualTo(Kind.SLURM);
        assertThat(own.words()).startsWith("/opt/srun", "--ntasks-per-node=1");
        assertThat(described(parse("--host n3:4 sh").hosts())).isEqualTo("n3:4");
        assertThatThrownBy(() -> parse("--host n3,x sh"))
                .isInstanceOf(UsageException.class)
                .hasMessage("--launcher slurm: x is no node of this Slurm job (n[1-3]); name its nodes, or write"
                        + " --launcher ssh");
        assertThat(parse("--host n3,x --launcher ssh sh").size()).isEqualTo(2);
        // The launcher runs where salloc was called.
        environment.remove("SLURMD_NODENAME");
        assertThat(described(parse("sh").hosts())).isEqualTo("n1:2 n2:2 n3:1");
    }

    @Test
    void shouldKeepToItsNodeInASlurmJobOfOneNode() {
        slurm("n7", "4", "1", "n7");
        environment.put("SLURM_NTASKS", "4");
        assertThat(parse("-n 9 sh").hosts()).isNull();
        assertThatThrownBy(() -> parse("sh"))
                .hasMessage("how many processes? Write mpiexec -n 4 ... for the 4 tasks of this Slurm job");
        environment.remove("SLURM_JOB_NODELIST");
        assertThat(parse("-n 9 sh").hosts()).isNull();
    }

    @Test
    void shouldSayWhereVariablesOfSlurmContradictEachOther() {
        slurm("n[1-3]", "2(x2)", "3", "n1");
        assertThatThrownBy(() -> parse("sh"))
                .isInstanceOf(UsageException.class)
                .hasMessage(
                        "SLURM_TASKS_PER_NODE has 2 numbers, and SLURM_JOB_NODELIST 3 nodes; name the hosts by --host");
        slurm("n[1-3]", "2(x3)", "4", "n1");
        assertThatThrownBy(() -> parse("sh"))
                .isInstanceOf(UsageException.class)
                .hasMessage("SLURM_JOB_NODELIST has 3 nodes, and SLURM_JOB_NUM_NODES says 4; name the hosts by --host");
        slurm("n[1-", "2(x3)", "4", "n1");
        assertThatThrownBy(() -> parse("sh")).isInstanceOf(UsageException.class).hasMessageContaining("'n[1-'");
        environment.remove("SLURM_TASKS_PER_NODE");
        slurm("n[1-2]", "x", "2", "n1");
        environment.remove("SLURM_TASKS_PER_NODE");
        environment.put("SLURM_JOB_CPUS_PER_NODE", "3(x2)");
        assertThat(parse("sh").size()).isEqualTo(6);
        environment.remove("SLURM_JOB_CPUS_PER_NODE");
        assertThat(parse("sh").size()).isEqualTo(2);
    }

    private void slurm(String nodes, String tasks, String count, String own) {
        environment.put("SLURM_JOB_ID", "17");
        environment.put("SLURM_JOB_NODELIST", nodes);
        environment.put("SLURM_TASKS_PER_NODE", tasks);
        environment.put("SLURM_JOB_NUM_NODES", count);
        environment.put("SLURMD_NODENAME", own);
    }

    private static String described(JobHosts job) {
        return job.hosts().stream()
                .map(host -> host.name() + ":" + host.slots() + (host.isHere() ? "!" : ""))
                .collect(Collectors.joining(" "));
    }

    /** Words between quotes are one. */
    private LaunchRequest parse(String line) {
        Installation installation = new Installation(Path.of("/ulfm.jar"), Path.of("/none"), Path.of("/jdk/bin/java"));
        String[] words = ArgumentFile.words(line).toArray(String[]::new);
        return new CommandLine(installation, environment).parse(words);
    }
}
