package org.ulfmj.launch.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.command.UsageException;
import org.ulfmj.launch.program.Installation;
import org.ulfmj.launch.program.StartCommand;
import org.ulfmj.protocol.ProcessId;

class CommandLineTest {
    /** Bytes with the name and the type of {@code main(String[])}, as a class file has that the launcher may run. */
    private static final String MAIN = "\1\0\4main\1\0\26([Ljava/lang/String;)V";

    @TempDir
    Path directory;

    private final Map<String, String> environment = new TreeMap<>();
    private Path examples;

    @BeforeEach
    void makeFiles() throws IOException {
        examples = jar(
                "examples.jar",
                Map.of(),
                "examples/Hello.class=" + MAIN,
                "examples/Digits.class=" + MAIN,
                "examples/Digits$1.class=" + MAIN,
                "examples/DigitImages.class=mainly ([Ljava/lang/String;)V");
        environment.put("PATH", "/nowhere:/bin:/usr/bin");
    }

    @Test
    void shouldPrependOurJarToTheClassPathOfAJavaProgram() {
        assertThat(words("-n 2 java -Xmx1g -cp app.jar Main 7"))
                .isEqualTo("/jdk/bin/java -XX:+ExitOnOutOfMemoryError -Xmx1g -cp /ulfm.jar:app.jar Main 7");
    }

    @Test
    void shouldBindOnlyWhenToldTo() {
        assertThat(parse("-n 2 java Main").bindTo()).isEqualTo(BindTo.UNSAID);
        assertThat(parse("-n 2 --bind-to none java Main").bindTo()).isEqualTo(BindTo.NONE);
        LaunchRequest bound = parse("-n 2 -bind-to core --map-by slot java Main");
        assertThat(bound.bindTo()).isEqualTo(BindTo.CORE);
        assertThat(bound.warnings()).isEmpty();
        assertThat(parse("-n 2 --map-by socket:PE=2 --rank-by slot sh").warnings())
                .containsExactly("without meaning here, ignored: --map-by socket:PE=2, --rank-by slot");
        assertThat(parse("-n 2 --bind-to hwthread sh").bindTo()).isEqualTo(BindTo.HWTHREAD);
        assertThat(parse("-n 2 --bind-to package sh").bindTo()).isEqualTo(BindTo.SOCKET);
        assertThat(parse("-n 2 --bind-to numa sh").bindTo()).isEqualTo(BindTo.NUMA);
        assertThat(parse("-n 2 --bind-to l3cache sh").bindTo()).isEqualTo(BindTo.L3CACHE);
        assertThat(parse("-n 2 --bind-to l3cache sh").cpuList()).isNull();
        assertThat(parse("-n 2 --bind-to cpu-list:0,1+2 sh").cpuList()).isEqualTo("0,1+2");
        assertThatThrownBy(() -> parse("-n 2 --bind-to board java Main"))
                .isInstanceOf(UsageException.class)
                .hasMessage("--bind-to: 'board' is not allowed; allowed: core | hwthread | socket | numa | l3cache |"
                        + " cpu-list:0,2-3 | none");
    }

    @Test
    void shouldKnowWhatToWriteInsteadOfEachForeignOptionAndOwnNoneOfThem() {
        List<String> own = OptionModel.ENTRIES.stream()
                .flatMap(entry -> entry.names().stream())
                .toList();
        for (String line : ForeignOptions.ALL) {
            String[] halves = line.split(" ~ ");
            assertThat(halves).as(line).hasSize(2);
            for (String name : halves[0].split(" ")) {
                assertThat(own).doesNotContain(name);
                assertThatThrownBy(() -> parse(name + " -n 2 sh"))
                        .as(name)
                        .isInstanceOf(UsageException.class)
                        .hasMessage(name + " is an option of other launchers: " + halves[1]);
            }
        }
    }

    @Test
    void shouldTakeTheSlotsOfTheHostsWhereNoNumberIsGiven() throws IOException {
        Path file = directory.resolve("hosts");
        Files.writeString(file, "localhost slots=3 # and so on\nlocalhost\n");
        assertThat(parse("--hostfile " + file + " sh").size()).isEqualTo(4);
        assertThat(parse("--host localhost:2,localhost sh").size()).isEqualTo(3);
        assertThat(parse("--host localhost:2 -n 5 sh").size()).isEqualTo(5);
    }

    @Test
    void shouldSayHowManyTasksABatchJobHas() {
        environment.put("SLURM_NTASKS", "8");
        assertThatThrownBy(() -> parse("sh"))
                .hasMessage("how many processes? Write mpiexec -n 8 ... for the 8 tasks of this Slurm job");
    }

    @Test
    void shouldNameTheInterpreterThatDoesNotExist() throws IOException {
        Path script = directory.resolve("script");
        Files.writeString(script, "#!/no/such/interpreter -x\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        assertThatThrownBy(() -> parse("-n 2 " + script))
                .hasMessage("'" + script
                        + "' cannot be executed: its first line asks for /no/such/interpreter, which does not exist");
    }

    @Test
    void shouldShowTheValuesOfAnOptionOnce() {
        assertThat(AnyArguments.help()).contains("NAME VALUE").doesNotContain("NAME VALUE NAME VALUE");
    }

    @Test
    void shouldKeepTheClassPathVariableOrTheCurrentDirectory() {
        assertThat(words("-n 2 java Main")).endsWith(" -cp /ulfm.jar:. Main");
        environment.put("CLASSPATH", "classes");
        assertThat(words("-n 2 java Main")).endsWith(" -cp /ulfm.jar:classes Main");
        assertThat(words("-n 2 -x CLASSPATH=given java Main")).endsWith(" -cp /ulfm.jar:given Main");
    }

    @Test
    void shouldRewriteAJarWithWhatItsManifestWouldHaveDone() throws IOException {
        Path app = jar(
                "app.jar",
                Map.of(
                        "Main-Class", "app.Main",
                        "Add-Exports", "java.base/sun.nio.ch jdk.unsupported/sun.misc",
                        "Add-Opens", "java.base/java.nio",
                        "Enable-Native-Access", "ALL-UNNAMED",
                        "Premain-Class", "app.Agent",
                        "Launcher-Agent-Class", "app.Agent"));
        environment.put("CLASSPATH", "ignored");
        assertThat(words("-n 2 java -ea -jar " + app + " x"))
                .isEqualTo("/jdk/bin/java -XX:+ExitOnOutOfMemoryError -ea"
                        + " --add-exports java.base/sun.nio.ch=ALL-UNNAMED"
                        + " --add-exports jdk.unsupported/sun.misc=ALL-UNNAMED"
                        + " --add-opens java.base/java.nio=ALL-UNNAMED"
                        + " --enable-native-access=ALL-UNNAMED"
                        + " -javaagent:" + app
                        + " -cp /ulfm.jar:" + app + " app.Main x");
    }

    @Test
    void shouldRefuseAJarThatCannotBeRewritten() throws IOException {
        Path empty = jar("empty.jar", Map.of());
        Path agent = jar("agent.jar", Map.of("Main-Class", "M", "Launcher-Agent-Class", "A"));
        assertThatThrownBy(() -> parse("-n 2 java -jar " + empty))
                .hasMessage("java -jar " + empty + ": its manifest names no Main-Class");
        assertThatThrownBy(() -> parse("-n 2 java -jar " + agent))
                .hasMessageContaining("Launcher-Agent-Class A cannot be started without -jar");
        assertThatThrownBy(() -> parse("-n 2 java -jar nowhere.jar"))
                .hasMessageContaining("nowhere.jar: cannot be read");
    }

    @Test
    void shouldPutOurJarOnTheModulePathOfAModule() {
        assertThat(words("-n 2 java -p mods -m app/app.Main")).endsWith(" -p /ulfm.jar:mods -m app/app.Main");
    }

    @Test
    void shouldGiveOtherCommandsOurJarInTheirEnvironment() {
        StartCommand command = parse("-n 2 -x A=1 sh -c x").command(null);
        assertThat(command.isJava()).isFalse();
        assertThat(command.words()).containsExactly("/bin/sh", "-c", "x");
        assertThat(command.environment()).isEqualTo(Map.of("CLASSPATH", "/ulfm.jar:.", "A", "1"));
    }

    @Test
    void shouldGiveEachProgramItsRanksAndItsSurroundings() throws IOException {
        LaunchRequest request = parse("-n 2 -genv J 1 -x A=1 --wdir / sh : -np 1 -env A 2 java -Dulfm.verbose=1 Main");
        assertThat(request.size()).isEqualTo(3);
        assertThat(request.command(ProcessId.of(1))).isSameAs(request.command(ProcessId.of(0)));
        assertThat(request.command(ProcessId.of(1)).environment())
                .containsEntry("A", "1")
                .containsEntry("J", "1");
        assertThat(request.command(ProcessId.of(1)).directory()).isEqualTo(Path.of("/"));
        assertThat(request.command(ProcessId.of(2)).words()).endsWith("Main");
        assertThat(request.command(ProcessId.of(2)).environment()).isEqualTo(Map.of("A", "2", "J", "1"));
        assertThat(request.command(ProcessId.of(2)).directory())
                .isEqualTo(Path.of("").toAbsolutePath());
        assertThat(request.isAnyJava()).isTrue();
        assertThat(request.isJava()).isFalse();
        assertThat(request.options().isVerbose()).isTrue();
    }

    @Test
    void shouldSayThatAnOptionInAFileOfProgramsIsForTheWholeJob() throws IOException {
        Path file = Files.writeString(directory.resolve("programs"), "-n 1 --spares 1 sh\n");
        assertThatThrownBy(() -> parse("-configfile " + file))
                .hasMessage("--spares is for the whole job; write it before the first program, on the command line");
    }

    @Test
    void shouldTakeVariablesAway() {
        environment.putAll(Map.of("FOO_A", "1", "FOO_B", "2", "ULFM_VERBOSE", "0"));
        assertThat(given("-x FOO_*")).containsEntry("FOO_A", "1").containsEntry("FOO_B", "2");
        assertThat(given("--unset-env FOO_A")).containsEntry("FOO_A", null).doesNotContainKey("FOO_B");
        assertThat(given("-genvlist FOO_B,NONE"))
                .containsEntry("FOO_A", null)
                .containsEntry("FOO_B", "2")
                .containsEntry("PATH", null)
                .doesNotContainKeys("ULFM_VERBOSE", "NONE");
        assertThat(given("-envnone -env FOO_B 3")).containsEntry("FOO_A", null).containsEntry("FOO_B", "3");
        assertThat(given("-genvall")).containsOnlyKeys("CLASSPATH");
    }

    private Map<String, String> given(String options) {
        return parse("-n 1 " + options + " sh").command(null).environment();
    }

    @Test
    void shouldFindTheExamples() {
        assertThat(words("-n 4 examples Digits 300")).endsWith(" -cp /ulfm.jar:" + examples + " examples.Digits 300");
        assertThatThrownBy(() -> parse("-n 4 examples Digit"))
                .hasMessage("there is no example Digit; did you mean Digits?");
        assertThatThrownBy(() -> parse("-n 4 examples Monte"))
                .hasMessage("there is no example Monte; there are Hello, Digits");
        assertThatThrownBy(() -> parse("-n 4 examples")).hasMessage("which example? There are Hello, Digits");
    }

    @Test
    void shouldTakeTheOptionsByAllTheirNames() {
        for (String count : List.of("-n", "-np", "--np", "-c")) {
            assertThat(parse(count + " 3 sh").size()).isEqualTo(3);
        }
        LaunchRequest request = parse("-np 2 --tag-output --oversubscribe --allow-run-as-root --print-all-exitcodes"
                + " --report-pid - --wdir " + directory + " --timeout 1.5 --inject-seed 7"
                + " --inject kill:rank=1@t=1s --inject kill:rank=0@t=2s sh");
        assertThat(request.streams().isTagged()).isTrue();
        assertThat(request.printExitCodes()).isTrue();
        assertThat(request.reportPid()).isEqualTo("-");
        assertThat(request.command(null).directory()).isEqualTo(directory);
        assertThat(request.timeoutNs()).isEqualTo(1_500_000_000);
        assertThat(request.seed()).isEqualTo(7);
        assertThat(request.plan().draw(7)).hasSize(2);
        assertThat(request.warnings()).isEmpty();
    }

    @Test
    void shouldLeaveTheOptionsOfTheProgramAlone() {
        LaunchRequest request = parse("-n 2 echo --timeout -n 9 --nonsense");
        assertThat(request.size()).isEqualTo(2);
        assertThat(request.timeoutNs()).isZero();
        assertThat(request.command(null).words()).endsWith("--timeout", "-n", "9", "--nonsense");
    }

    @Test
    void shouldReadTimesWithUnitsAndTheVariableOfOtherLaunchers() {
        assertThat(parse("-n 2 --timeout 500ms sh").timeoutNs()).isEqualTo(500_000_000);
        environment.put("MPIEXEC_TIMEOUT", "9");
        assertThat(parse("-n 2 sh").timeoutNs()).isEqualTo(9_000_000_000L);
        assertThat(parse("-n 2 --timeout 2min sh").timeoutNs()).isEqualTo(120_000_000_000L);
    }

    @Test
    void shouldLetTheNearestToTheProgramWin() {
        environment.put("ULFM_FD_TIMEOUT", "7s");
        assertThat(timeoutNs("-n 2 java Main")).isEqualTo(7_000_000_000L);
        assertThat(timeoutNs("-n 2 --set ulfm.fd.timeout=8s java Main")).isEqualTo(8_000_000_000L);
        assertThat(timeoutNs("-n 2 --set ulfm.fd.timeout=8s java -Dulfm.fd.timeout=9s Main"))
                .isEqualTo(9_000_000_000L);
    }

    @ParameterizedTest
    @CsvSource({
        "'', true, mpi_errors_return",
        "--with-ft ulfm, true, mpi_errors_return",
        "--with-ft mpi, true, mpi_errors_return",
        "--with-ft none, false, mpi_errors_are_fatal",
        "--disable-recovery, false, mpi_errors_are_fatal",
        "--initial-errhandler mpi_errors_are_fatal, true, mpi_errors_are_fatal",
        "--mca mpi_ft_enable 0, false, mpi_errors_are_fatal"
    })
    void shouldTurnFaultToleranceOnUnlessToldNotTo(String options, boolean isOn, String errhandler) {
        LaunchRequest request = parse(("-n 2 " + options + " sh").replace("  ", " "));
        assertThat(request.options().isFaultTolerant()).isEqualTo(isOn);
        assertThat(request.options().initialErrhandler()).isEqualTo(errhandler);
    }

    @Test
    void shouldTranslateTheParametersOfOpenMpi() {
        LaunchRequest request = parse("-n 2 --mca mpi_ft_detector_timeout 6 --mca mpi_ft_detector_period 0.5"
                + " -mca btl tcp,self -am ft-mpi --mca mpi_ft_detector_thread 0 sh");
        assertThat(request.options().timing().detectorTimeoutNs()).isEqualTo(6_000_000_000L);
        assertThat(request.options().timing().heartbeatPeriodNs()).isEqualTo(500_000_000);
        assertThat(request.warnings())
                .containsExactly(
                        "--mca mpi_ft_detector_thread 0: the detector has no thread to be switched off; --set ulfm.fd=off turns"
                                + " it off",
                        "without meaning here, ignored: btl");
    }

    @Test
    void shouldUnderstandTheTimeoutsOfNvflareAndSayWhatTheyBecame() {
        LaunchRequest request =
                parse("-n 2 --set per_msg_timeout=10 --set tx_timeout=100.5 --set heart_beat_timeout=3min"
                        + " --set max_client_op_interval=900 --set progress_timeout=on sh");
        assertThat(request.options().toSettings())
                .containsEntry("ulfm.link.rto", "10s")
                .containsEntry("ulfm.link.budget", "100500ms")
                .containsEntry("ulfm.fd.timeout", "3min")
                .containsEntry("ulfm.silence.limit", "15min")
                .containsEntry("ulfm.progress.limit", "1h");
        assertThat(request.warnings())
                .containsExactly(
                        "--set per_msg_timeout=10 is here ulfm.link.rto=10s",
                        "--set tx_timeout=100.5 is here ulfm.link.budget=100.5s",
                        "--set heart_beat_timeout=3min is here ulfm.fd.timeout=3min",
                        "--set max_client_op_interval=900 is here ulfm.silence.limit=900s",
                        "--set progress_timeout=on is here ulfm.progress.limit=on");
        assertThatThrownBy(() -> parse("-n 2 --set tx_timeout=NaN sh"))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("ulfm.link.budget: 'NaN' is not a duration");
        assertThatThrownBy(() -> parse("-n 2 --set query_interval=2 sh"))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("unknown option query_interval");
    }

    @Test
    void shouldTakeParametersOfOpenMpiFromTheEnvironmentAndFiles() throws IOException {
        environment.put("OMPI_MCA_orte_enable_recovery", "0");
        environment.put("OMPI_MCA_btl", "self");
        assertThat(parse("-n 2 sh").options().isFaultTolerant()).isFalse();
        assertThat(parse("-n 2 sh").warnings()).containsExactly("without meaning here, ignored: btl");
        assertThat(parse("-n 2 -am ft-enable-mpi sh").options().isFaultTolerant())
                .isTrue();
        assertThat(parse("-n 2 --am ft-mpi --mca mpi_ft_enable false sh")
                        .options()
                        .isFaultTolerant())
                .isFalse();
        Path file = Files.writeString(
                directory.resolve("params"), "# mine\nbtl = self # again\n\nmpi_ft_detector=0\nmpi_ft_verbose = 9\n");
        LaunchRequest request = parse("-n 2 -am " + file + " sh");
        assertThat(request.options().timing().detectorTimeoutNs()).isEqualTo(86_400_000_000_000L);
        assertThat(request.options().toSettings())
                .containsEntry("ulfm.fd", "off")
                .containsEntry("ulfm.ft.verbose", "2");
        assertThat(request.warnings()).containsExactly("without meaning here, ignored: btl");
        Files.writeString(file, "btl self\n");
        assertThatThrownBy(() -> parse("-n 2 -am " + file + " sh"))
                .hasMessage("-am " + file + ": line 1, 'btl self', is not NAME = VALUE");
        assertThatThrownBy(() -> parse("-n 2 -am /no/such sh"))
                .hasMessage("-am: cannot read /no/such; allowed: a file of NAME = VALUE, ft-enable-mpi, ft-mpi");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "--tagoutput -n 2 sh~2~unknown option --tagoutput; did you mean --tag-output? (mpiexec --help lists all)",
                "--tiemout=3 -n 2 sh~2~unknown option --tiemout; did you mean --timeout? (mpiexec --help lists all)",
                "--no-such-thing -n 2 sh~2~unknown option --no-such-thing (mpiexec --help lists all)",
                "-N 0 sh~2~-N: 0 processes; allowed: 1 to 4096",
                "-n 1 sh : sh~2~how many processes of program 2, 'sh'? Write -n N in front of it",
                "-n 1 sh :~2~program 2 is missing; write -n N PROGRAM ARGUMENTS : -n N PROGRAM ARGUMENTS",
                "-n 1 : -n 1 sh~2~program 1 is missing; write -n N PROGRAM ARGUMENTS : -n N PROGRAM ARGUMENTS",
                "-n 1 sh : -n 1 --timeout 3 sh~2~--timeout is for the whole job; write it before the first program",
                "-n 4000 sh : -n 97 sh~2~-n: 4097 processes of all programs; allowed: 1 to 4096",
                "-n 1 --spares 1 sh : -n 1 sh~2~--spares: a spare must know its program before its rank, and this job has 2"
                        + " programs; use --max-restarts",
                "-n 1 java -Dulfm.verbose=1 A : -n 1 java -Dulfm.verbose=0 B~2~-Dulfm.verbose: 1 for one program and 0 for"
                        + " another; options are those of the whole job",
                "-n 1 sh : -n 1 no-such-command~127~cannot find 'no-such-command' in PATH (/nowhere:/bin:/usr/bin)",
                "--app /no/such/file~2~--app: cannot read /no/such/file: no such file or directory",
                "-n 1 --hostfile /tmp sh~2~--hostfile: cannot read /tmp: Is a directory",
                "-n 1 --inject-file /no/such/file sh~2~--inject-file: cannot read /no/such/file: no such file or directory",
                "--app /dev/null~2~--app /dev/null: the file names no program",
                "--app /dev/null sh~2~--app /dev/null: the file names the programs; leave out 'sh'",
                "-n 1 --env-compat slurm sh~2~--env-compat: 'slurm' is not allowed; allowed: torch",
                "-n 2 --hostfile /no/such/file sh~2~--hostfile: cannot read /no/such/file: no such file or directory",
                "-n 0 sh~2~-n: 0 processes; allowed: 1 to 4096",
                "-n 99999999999 sh~2~-n: 99999999999 processes; allowed: 1 to 4096",
                "-np 2 -n 3 sh~2~-np and -n are two names of one option; write one of them",
                "-n 2 -n 3 sh~2~-n is given twice; write it once",
                "sh -n~2~how many processes? Write mpiexec -n N ...",
                "-np~2~-np lacks its value; write -np N",
                "-n 2 --forward-signals USR1,TERM sh~2~--forward-signals: 'TERM' is not allowed; allowed: none | ALRM IO PROF"
                        + " PWR URG USR1 USR2 VTALRM WINCH XCPU, several with commas",
                "-n 2 --host localhost:0 sh~2~--host localhost:0: '0' is no number of slots; allowed: 1 or more, and nothing"
                        + " for 1",
                "-n 2 --launcher pigeon sh~2~--launcher: 'pigeon' is not allowed; allowed: ssh | slurm | manual",
                "--log-dir=x -n 2 sh~2~--log-dir is an option of other launchers: write --output-filename DIR, and --tee",
                "-n 2 --output tag,xml sh~2~--output: 'xml' is not allowed; allowed: tag | timestamp | merge-stderr-to-stdout"
                        + " | dir=DIR | file=NAME, several with commas",
                "-n 2 --output dir= sh~2~--output dir=: lacks a name; write a directory or file behind it",
                "-n 2 --output-filename x:raw sh~2~--output-filename x:raw: ':raw' is not allowed; allowed: :nocopy |"
                        + " :nojobid, which are the default here (--tee copies)",
                "-n 2 --output-filename x --output file=y sh~2~--output file=y: another option names the files of the output"
                        + " already; write one of them",
                "-n 2 --output-filename x -errfile-pattern y sh~2~-errfile-pattern: another option names the files of the"
                        + " output already; write one of them",
                "-n 2 --tee sh~2~--tee: there are no files; write --output-filename DIR too, or | tee FILE behind the command",
                "-n 2 --stdin 2 sh~2~--stdin: '2' is not allowed; allowed: all | none | a rank, 0 to 1",
                "-n 2 --stdin some sh~2~--stdin: 'some' is not allowed; allowed: all | none | a rank, 0 to 1",
                "-n two sh~2~-n: 'two' is no whole number",
                "sh~2~how many processes? Write mpiexec -n N ...",
                "-n 2~2~nothing to start; write mpiexec -n 2 java -cp CLASSES Main",
                "-n 2 --with-ft yes sh~2~--with-ft: 'yes' is not allowed; allowed: ulfm | none",
                "-n 2 --orphans stay sh~2~ulfm.orphans: 'stay' is not allowed; allowed: exit | continue",
                "-n 2 --timeout 0 sh~2~--timeout: '0' must be above 0",
                "-n 2 --set ulfm.fd.timeout sh~2~--set ulfm.fd.timeout: write --set NAME=VALUE",
                "-n 2 -x NO_SUCH_VARIABLE sh~2~-x NO_SUCH_VARIABLE: there is no such variable; write -x NAME=VALUE to"
                        + " set one",
                "-n 2 --inject-seed x sh~2~--inject-seed: 'x' is no whole number",
                "-n 2 --max-restarts -1 sh~2~--max-restarts: -1 is not allowed; allowed: 0 to 1000000",
                "-n 2 --spares two sh~2~--spares: 'two' is no whole number",
                "-n 2 --spares 1 --with-ft none sh~2~--spares: a job without fault tolerance (--with-ft none) ends at the"
                        + " first failure; use --with-ft ulfm",
                "-n 2 --inject kill:rank=1,inc=x@t=1s sh~2~--inject 'kill:rank=1,inc=x@t=1s', character 17: inc: 'x' is no whole number",
                "-n 2 no-such-command~127~cannot find 'no-such-command' in PATH (/nowhere:/bin:/usr/bin)",
                "-n 2 Main.java~127~cannot find 'Main.java' in PATH (/nowhere:/bin:/usr/bin); write java Main",
                "-n 2 app.jar~127~cannot find 'app.jar' in PATH (/nowhere:/bin:/usr/bin); write java -jar app.jar",
                "-n 2 -cp classes Main~2~-cp is an option of java: write it behind java, as in mpiexec -n 2 java -cp CLASSES"
                        + " Main",
                "-n 2 -Dmode=fast java Main~2~-Dmode is an option of java: write it behind java, as in mpiexec -n 2 java -cp"
                        + " CLASSES Main",
                "-n 2 /no/such/command~127~cannot find '/no/such/command'",
                "-n 2 /etc/passwd~126~'/etc/passwd' is not an executable file"
            })
    void shouldSayWhatIsWrong(String line, int exitCode, String message) {
        assertThatThrownBy(() -> parse(line))
                .hasMessage(message)
                .isInstanceOfSatisfying(
                        UsageException.class, e -> assertThat(e.exitCode()).isEqualTo(exitCode));
    }

    @Test
    void shouldPointToTheHelpWhereNothingIsWritten() {
        assertThatThrownBy(() -> commandLine().parse())
                .isInstanceOf(UsageException.class)
                .hasMessage("nothing to start; write mpiexec -n 2 java -cp CLASSES Main (mpiexec --help lists all"
                        + " options)");
    }

    @Test
    void shouldKnowMoreWordsOfOtherLaunchers() {
        LaunchRequest request = parse("-N 3 -genv A 1 -env B 2 -v -q -display-map --report-bindings sh");
        assertThat(request.size()).isEqualTo(3);
        assertThat(request.command(null).environment()).containsEntry("A", "1").containsEntry("B", "2");
        assertThat(request.options().isVerbose()).isTrue();
        assertThat(request.warnings())
                .containsExactly("without meaning here, ignored: --quiet, --display-map, --report-bindings");
        assertThat(parse("-n 2 -ppn 4 sh").size()).isEqualTo(2);
    }

    @Test
    void shouldOnlyShowHelpOrVersionWhenAskedTo() {
        CommandLine commandLine = commandLine();
        assertThat(commandLine.parse("--help")).isNull();
        assertThat(commandLine.text()).contains("mpiexec -n N [options] java", "--tag-output", "--inject");
        assertThat(commandLine().parse("--version")).isNull();
    }

    @Test
    void shouldFindACommandByARelativeNameAndInTheSearchPath() throws IOException {
        Path program = Files.writeString(directory.resolve("prog"), "#!/bin/sh\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        assertThat(words("-n 1 --wdir " + directory + " ./prog"))
                .startsWith(directory.toString())
                .endsWith("prog");
        environment.put("PATH", directory.toString());
        assertThat(words("-n 1 prog")).isEqualTo(program.toString());
    }

    private long timeoutNs(String line) {
        return parse(line).options().timing().detectorTimeoutNs();
    }

    private String words(String line) {
        return String.join(" ", parse(line).command(null).words());
    }

    private LaunchRequest parse(String line) {
        return commandLine().parse(Arrays.stream(line.split(" ")).toArray(String[]::new));
    }

    private CommandLine commandLine() {
        Installation installation = new Installation(Path.of("/ulfm.jar"), examples, Path.of("/jdk/bin/java"));
        return new CommandLine(installation, environment);
    }

    /** @param entries names, or {@code name=content} */
    private Path jar(String name, Map<String, String> attributes, String... entries) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.forEach((key, value) -> manifest.getMainAttributes().putValue(key, value));
        Path file = directory.resolve(name);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(file), manifest)) {
            for (String entry : entries) {
                String[] parts = entry.split("=", 2);
                out.putNextEntry(new ZipEntry(parts[0]));
                out.write(parts[parts.length - 1].getBytes(StandardCharsets.ISO_8859_1));
            }
        }
        return file;
    }
}
