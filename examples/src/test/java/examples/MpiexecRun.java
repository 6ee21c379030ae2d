package examples;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What one run of {@code bin/mpiexec} printed, and how it ended. */
record MpiexecRun(int exitCode, List<String> out, List<String> err) {
    /**
     * Resets the signals of the command: otherwise a job would ignore signals that it inherits as ignored from a shell,
     * when it was started in the background or under nohup.
     */
    private static final List<String> WITH_DEFAULT_SIGNALS = List.of("env", "--default-signal=HUP,INT,QUIT");

    private static final Pattern INJECTED = Pattern.compile("inject: rank \\S+ \\(pid \\d+\\) killed at ");

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    /** Runs {@code bin/mpiexec} with the JDK of this test, and fails if it takes longer than {@code limit}. */
    static MpiexecRun of(Duration limit, String... arguments) {
        return of(limit, environment(), arguments);
    }

    static MpiexecRun of(Duration limit, Map<String, String> environment, String... arguments) {
        return of(limit, environment, List.of(), arguments);
    }

    /**
     * Runs a program that is compiled with the tests.
     *
     * @param options of mpiexec, with blanks between them
     * @param program class and arguments, with blanks between them
     */
    static MpiexecRun ofTestProgram(Duration limit, String options, String program) {
        return of(limit, testProgram(options, program));
    }

    /**
     * Runs a program that is compiled with the tests, with a new memory file system of this size (in the form that
     * {@code mount} takes) at {@code directory}. Skips the test if this user cannot mount one.
     */
    static MpiexecRun inFileSystem(Duration limit, Path directory, String size, String options, String program) {
        assumeTrue(canMount(directory), "this user cannot mount a file system here (unshare -rm, mount -t tmpfs)");
        return of(limit, environment(), mounted(directory, size), testProgram(options, program));
    }

    private static String[] testProgram(String options, String program) {
        return (options + " java -cp " + testPrograms() + " " + program).split(" ");
    }

    private static List<String> mounted(Path directory, String size) {
        String script = "mount -t tmpfs -o size=$1,mode=700 none \"$2\" && shift 2 && exec \"$@\"";
        return List.of("unshare", "-rm", "sh", "-c", script, "sh", size, directory.toString());
    }

    private static boolean canMount(Path directory) {
        List<String> command = new ArrayList<>(mounted(directory, "1m"));
        command.add("true");
        try {
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    private static MpiexecRun of(
            Duration limit, Map<String, String> environment, List<String> within, String... arguments) {
        List<String> command = command(within, List.of(arguments));
        try {
            Path out = Files.createTempFile("mpiexec", ".out");
            Path err = Files.createTempFile("mpiexec", ".err");
            try {
                ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(out.toFile());
                builder.redirectError(err.toFile())
                        .redirectInput(ProcessBuilder.Redirect.from(
                                Path.of("/dev/null").toFile()));
                builder.environment().putAll(environment);
                Process process = builder.start();
                if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
                    process.destroy();
                    throw new AssertionError(command + " still ran after " + limit + "\n" + Files.readString(out)
                            + Files.readString(err));
                }
                return new MpiexecRun(process.exitValue(), Files.readAllLines(out), Files.readAllLines(err));
            } finally {
                Files.delete(out);
                Files.delete(err);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    private static List<String> command(List<String> within, List<String> arguments) {
        List<String> command = new ArrayList<>(WITH_DEFAULT_SIGNALS);
        command.addAll(within);
        command.add(ROOT.resolve("bin/mpiexec").toString());
        command.addAll(arguments);
        return command;
    }

    /** Starts {@code bin/mpiexec} with the JDK of this test, and returns while it runs. */
    static RunningCommand start(List<String> arguments) throws IOException {
        return RunningCommand.start(environment(), command(List.of(), arguments));
    }

    private static Map<String, String> environment() {
        return Map.of("JAVA_HOME", System.getProperty("java.home"));
    }

    /** The class path of the programs that are compiled with these tests. */
    static String testPrograms() {
        return ROOT.resolve("examples/target/test-classes").toString();
    }

    /** The class path of the programs that are compiled with the tests of another module. */
    static String testProgramsOf(String module) {
        return ROOT.resolve(module + "/target/test-classes").toString();
    }

    /** The home of a JDK of this version that is installed in {@code /usr/lib/jvm}, if there is one. */
    static Optional<Path> jdk(int version) {
        Path installed = Path.of("/usr/lib/jvm");
        if (!Files.isDirectory(installed)) {
            return Optional.empty();
        }
        try (Stream<Path> homes = Files.list(installed)) {
            return homes.filter(home -> isJdk(home, version)).findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isJdk(Path home, int version) {
        try {
            Path release = home.resolve("release");
            return Files.isExecutable(home.resolve("bin/javac"))
                    && Files.isRegularFile(release)
                    && Files.readString(release).contains("JAVA_VERSION=\"" + version);
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * The number of processes that were killed by the plan of {@code --inject}, counted by the lines that the job
     * printed on stderr for them.
     */
    long deaths() {
        return err.stream().filter(line -> INJECTED.matcher(line).find()).count();
    }

    String outText() {
        return String.join("\n", out);
    }

    @Override
    public String toString() {
        return "exit " + exitCode + "\n" + outText() + "\n" + String.join("\n", err);
    }
}
