package org.ulfmj.launch.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.command.UsageException;
import org.ulfmj.launch.hosts.AgentStart;
import org.ulfmj.launch.program.Installation;

/** Tests the options of a job whose world grows. */
class ElasticityTest {
    private static final int CORES = Runtime.getRuntime().availableProcessors();

    private final Map<String, String> environment = new TreeMap<>(Map.of("PATH", "/bin:/usr/bin"));

    @Test
    void shouldStartWhatHasSlotsInAWorldThatGrows() {
        LaunchRequest request = parse("-n 2:4 --host localhost:3 --report-uri f sh");
        assertThat(request.size()).isEqualTo(3);
        assertThat(request.elastic()).isEqualTo(new ElasticJob(2, 4, "f", null));
        assertThat(parse("-n 2:9999 sh".replace("9999", "4096")).size()).isEqualTo(Math.max(2, CORES));
        assertThat(parse("-n 2:5 --oversubscribe sh").size()).isEqualTo(5);
        assertThat(parse("-n 4:8 --host localhost:2 --report-uri f sh").size())
                .as("others may come")
                .isEqualTo(2);
        assertThat(parse("-n 2 sh").elastic()).isNull();
    }

    @Test
    void shouldStartAWorldThatGrowsOnSeveralHosts() {
        LaunchRequest request = parse("-n 2:4 --host a:2,b sh");
        assertThat(request.elastic()).isEqualTo(new ElasticJob(2, 4, null, null));
        assertThat(request.size()).isEqualTo(3);
        assertThat(request.hosts().hostOfSlot()).containsExactly(0, 0, 1);
    }

    @Test
    void shouldStartWhatACommandSaysInsteadOfWhatTheBatchSystemHas() {
        environment.put("SLURM_JOB_ID", "7");
        environment.put("SLURM_JOB_NODELIST", "a,b");
        for (String option : new String[] {"--host-discovery", "--host-discovery-script"}) {
            LaunchRequest request = parse("-n 2:4 " + option + " ./slots sh");
            assertThat(request.elastic().discovery()).isEqualTo("./slots");
            assertThat(request.elastic().agents().kind()).isEqualTo(AgentStart.Kind.SLURM);
            assertThat(request.size()).as("at most").isEqualTo(4);
            assertThat(request.hosts()).isNull();
        }
    }

    @Test
    void shouldStartAgentsOfDiscoveredHostsAsThoseOfOthers() {
        AgentStart agents = parse("-n 2:4 --host-discovery d --launcher-exec reach sh")
                .elastic()
                .agents();
        assertThat(agents.wordsFor(List.of("h"))).containsExactly("reach", "h");
        assertThat(parse("-n 2:4 --host-discovery d sh").elastic().agents().kind())
                .isEqualTo(AgentStart.Kind.SSH);
    }

    @Test
    void shouldWarnOfHostsThatMayBeFoundAndSpeakInClear() {
        assertThat(parse("-n 2:4 --host-discovery d sh").warnings()).isEmpty();
        assertThat(parse("-n 2:4 --host-discovery d --set ulfm.net.protect=none sh")
                        .warnings())
                .containsExactly("ulfm.net.protect=none with --host-discovery: whatever lies between the hosts that it"
                        + " finds can read and change the messages of the job");
    }

    @Test
    void shouldRefuseACommandOfBlanks() {
        assertThatThrownBy(() ->
                        new CommandLine(installation(), environment).parse("-n", "1:2", "--host-discovery", " ", "sh"))
                .hasMessage("--host-discovery: write a command that prints lines HOST:SLOTS");
    }

    @Test
    void shouldJoin() {
        LaunchRequest request = parse("--join f -n 2 sh");
        assertThat(request.size()).isEqualTo(2);
        assertThat(request.elastic().isJoining()).isTrue();
        assertThat(request.elastic().joinFile()).isEqualTo("f");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "-n 2 --report-uri f sh~--report-uri: other processes can join only a world that grows; write -n MIN:MAX",
                "-n 2:4 --host a,b --report-uri f sh~--report-uri: processes can join a job only if all of it is on one host",
                "-n 2:4 --host a,b --set ulfm.ft.quorum=majority sh~-n 2:4: in a world that grows on several hosts the side of"
                        + " mpiexec goes on; leave out ulfm.ft.quorum=majority (allowed: coordinator), or write -n N",
                "-n 2:4 --host-discovery d --set ulfm.ft.quorum=majority sh~-n 2:4: in a world that grows on several hosts the"
                        + " side of mpiexec goes on; leave out ulfm.ft.quorum=majority (allowed: coordinator), or write -n N",
                "-n 2:4 --max-restarts 1 sh~-n 2:4: a world that grows gets other processes by --join; leave out"
                        + " --max-restarts",
                "-n 2:4 --spares 1 sh~-n 2:4: a world that grows gets other processes by --join; leave out --spares",
                "-n 2:4 --with-ft none sh~-n 2:4: a world that grows is one that survives failures; leave out --with-ft none",
                "-n 2:4 --inject kill:rank=1@t=1s sh~-n 2:4: a plan of faults needs ranks that are known before the job"
                        + " begins; leave out --inject, or write -n N",
                "--join f -n 2 --set ulfm.grace=1s sh~--set is for the mpiexec that starts the job; one with --join takes it"
                        + " from there, so leave it out here",
                "--join f -n 2 --host a sh~--host is for the mpiexec that starts the job; one with --join takes it from"
                        + " there, so leave it out here",
                "--join f -n 2 --report-uri g sh~--report-uri is for the mpiexec that starts the job; one with --join takes"
                        + " it from there, so leave it out here",
                "-n 2 --host-discovery d sh~--host-discovery: only a world that grows follows the slots that there are; write"
                        + " -n MIN:MAX",
                "-n 2:4 --host-discovery d --host localhost sh~--host-discovery: its command says which hosts and slots there"
                        + " are; leave out --host",
                "-n 2:4 --host-discovery d -N 2 sh~--host-discovery: its command says which hosts and slots there are; leave"
                        + " out -N",
                "--join f -n 2 --host-discovery d sh~--host-discovery is for the mpiexec that starts the job; one with --join"
                        + " takes it from there, so leave it out here",
                "--join f -n 2:4 sh~-n 2:4: with --join write how many processes join, as in -n 2",
                "--join f -n 1 sh : -n 1 sh~--join: processes of one program join; start mpiexec once for each program",
                "--join f sh~how many processes? Write mpiexec -n N ...",
            })
    void shouldSayWhatIsWrong(String line, String message) {
        assertThatThrownBy(() -> parse(line)).isInstanceOf(UsageException.class).hasMessage(message);
    }

    private LaunchRequest parse(String line) {
        return new CommandLine(installation(), environment).parse(line.split(" "));
    }

    private static Installation installation() {
        return new Installation(Path.of("/ulfm.jar"), Path.of("/none"), Path.of("/jdk/bin/java"));
    }
}
