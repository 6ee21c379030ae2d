package org.ulfmj.benchmarks.peer;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.ulfmj.benchmarks.job.Commands;
import org.ulfmj.benchmarks.job.JobSpec;

/**
 * The other MPIs that are wanted and can be used on this machine, each with our programs compiled for it. A line is
 * printed for each wanted MPI that is left out, and for another Open MPI without a Java binding.
 */
public final class OtherMpis {
    private static final Path DEBIAN_OPEN_MPI = Path.of("/usr/bin/mpirun.openmpi");
    private static final Path DEBIAN_MPICH = Path.of("/usr/bin/mpirun.mpich");

    /**
     * An MPI that can be started.
     *
     * @param version its version for a reader; of an Open MPI also how it copies large messages
     * @param hello starts the smallest program as a user would, without an option for binding; null if there is none
     * @param firstSeconds starts the whole job of the first seconds as a user would; null if there is none
     */
    public record Peer(String label, String version, Command command, Command hello, Command firstSeconds) {
        /** Makes the entry of an MPI whose first seconds are not measured. */
        Peer(String label, String version, Command command, Command hello) {
            this(label, version, command, hello, null);
        }
    }

    /**
     * Gives the job that runs our program with some ranks. The cells run over the medium, {@code shm} or {@code tcp};
     * null if the MPI cannot run them over it.
     */
    public interface Command {
        JobSpec with(int ranks, String medium);
    }

    private final Path home;
    private final Path built;
    private final PrintStream out;
    private final Programs programs;
    private final List<Peer> found = new ArrayList<>();
    private final int cores = Runtime.getRuntime().availableProcessors();

    /**
     * @param home the project's folder
     * @param otherOpenMpi where another Open MPI is installed beside the system's; null for none
     */
    public OtherMpis(Path home, List<String> wanted, Path otherOpenMpi, PrintStream out)
            throws IOException, InterruptedException {
        this.home = home;
        this.built = Files.createDirectories(home.resolve("benchmarks/target/compare"));
        this.out = out;
        this.programs = new Programs(home);
        if (wanted.contains("ompi")) {
            addOpenMpi("ompi", DEBIAN_OPEN_MPI, Path.of("/usr/bin/mpicc.openmpi"), "openmpi-bin libopenmpi-dev");
            if (otherOpenMpi != null) {
                addOpenMpi(
                        "ompi@",
                        otherOpenMpi.resolve("bin/mpirun"),
                        otherOpenMpi.resolve("bin/mpicc"),
                        "what OMPI names");
                addOpenMpiJava(otherOpenMpi);
            }
        }
        if (wanted.contains("mpich")) {
            addMpich();
        }
        if (wanted.contains("mpj")) {
            addMpjExpress();
        }
    }

    public List<Peer> found() {
        return found;
    }

    private void addOpenMpi(String label, Path run, Path compiler, String packages)
            throws IOException, InterruptedException {
        if (isMissing(label, packages, run, compiler)) {
            return;
        }
        String version = firstLine(Commands.run(List.of(run.toString(), "--version")));
        Path program = compile("cells", label, compiler);
        Path firstSeconds = compile("first", label, compiler);
        found.add(new Peer(
                label,
                version + ", single copy: " + SingleCopy.of(run),
                (ranks, medium) -> openMpi(label, run, version, List.of(program.toString()), ranks, medium),
                (ranks, medium) -> openMpiAsTyped(label, run, List.of(program.toString()), ranks),
                (ranks, medium) -> openMpiAsTyped(label, run, List.of(firstSeconds.toString()), ranks)));
    }

    private void addOpenMpiJava(Path openMpi) throws IOException, InterruptedException {
        Path jar = openMpi.resolve("lib/mpi.jar");
        if (!Files.exists(jar)) {
            out.println("  " + openMpi + " has no Java binding (" + jar + "): left out");
            return;
        }
        Path classes = Files.createDirectories(built.resolve("ompi-java"));
        programs.compile(jar, classes, "PeerCells", "Hello", "FirstSeconds");
        Path run = openMpi.resolve("bin/mpirun");
        String version = firstLine(Commands.run(List.of(run.toString(), "--version")));
        List<String> java =
                List.of(Java.home("java"), "-cp", jar + ":" + classes, "-Djava.library.path=" + openMpi.resolve("lib"));
        List<String> cells = with(java, Programs.PACKAGE + "PeerCells");
        List<String> hello = with(java, Programs.PACKAGE + "Hello");
        List<String> firstSeconds = with(java, Programs.PACKAGE + "FirstSeconds");
        found.add(new Peer(
                "ompi-java",
                version + ", Java binding, single copy: " + SingleCopy.of(run),
                (ranks, medium) -> openMpi("ompi-java", run, version, cells, ranks, medium),
                (ranks, medium) -> openMpiAsTyped("ompi-java", run, hello, ranks),
                (ranks, medium) -> openMpiAsTyped("ompi-java", run, firstSeconds, ranks)));
    }

    private JobSpec openMpi(String label, Path run, String version, List<String> program, int ranks, String medium) {
        List<String> command = new ArrayList<>(List.of(run.toString(), "-n", Integer.toString(ranks)));
        command.addAll(ranks <= cores ? List.of("--bind-to", "core") : List.of("--oversubscribe", "--bind-to", "none"));
        // The byte transfer layer of shared memory was called vader before it was called sm.
        String sharedMemory = version.matches(".*\\b4\\.\\d.*") ? "vader,self" : "sm,self";
        command.addAll(
                List.of("--mca", "pml", "ob1", "--mca", "btl", medium.equals("tcp") ? "tcp,self" : sharedMemory));
        if (medium.equals("tcp")) {
            command.addAll(List.of("--mca", "btl_tcp_if_include", "lo"));
        }
        command.addAll(program);
        return new JobSpec(label, command, openMpiEnvironment(), false);
    }

    /** A job as a user types it, without an option for binding and without parameters of the library. */
    private JobSpec openMpiAsTyped(String label, Path run, List<String> program, int ranks) {
        List<String> command = new ArrayList<>(List.of(run.toString(), "-n", Integer.toString(ranks)));
        if (ranks > cores) {
            command.add("--oversubscribe");
        }
        command.addAll(program);
        return new JobSpec(label, command, openMpiEnvironment(), false);
    }

    /** The environment of Open MPI's launcher. It refuses to be run by root unless two variables allow it. */
    private static Map<String, String> openMpiEnvironment() {
        boolean isRoot = System.getProperty("user.name").equals("root");
        return isRoot ? Map.of("OMPI_ALLOW_RUN_AS_ROOT", "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1") : Map.of();
    }

    private static List<String> with(List<String> command, String last) {
        List<String> longer = new ArrayList<>(command);
        longer.add(last);
        return longer;
    }

    private void addMpich() throws IOException, InterruptedException {
        Path compiler = Path.of("/usr/bin/mpicc.mpich");
        if (isMissing("mpich", "mpich libmpich-dev", DEBIAN_MPICH, compiler)) {
            return;
        }
        Path program = compile("cells", "mpich", compiler);
        String version = Commands.run(List.of("/usr/bin/mpichversion"))
                .lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).contains("version"))
                .findFirst()
                .orElse("")
                .replaceAll("\\s+", " ");
        found.add(new Peer(
                "mpich",
                version,
                (ranks, medium) -> mpich(program, ranks, medium, "-bind-to", ranks <= cores ? "core" : "none"),
                (ranks, medium) -> mpich(program, ranks, medium)));
    }

    private static JobSpec mpich(Path program, int ranks, String medium, String... options) {
        List<String> command = new ArrayList<>(List.of(DEBIAN_MPICH.toString(), "-n", Integer.toString(ranks)));
        command.addAll(List.of(options));
        command.addAll(List.of("-iface", "lo", program.toString()));
        Map<String, String> environment = medium.equals("tcp")
                ? Map.of("MPIR_CVAR_NOLOCAL", "1", "UCX_TLS", "tcp,self", "UCX_NET_DEVICES", "lo")
                : Map.of();
        return new JobSpec("mpich", command, environment, false, true);
    }

    /**
     * Adds MPJ Express if it is installed and can be shut in, which takes root and two commands: its daemon obeys any
     * process that reaches it, so it is started in a separate network.
     */
    private void addMpjExpress() throws IOException, InterruptedException {
        Path library = Path.of("/usr/share/mpj/lib/mpj.jar");
        Path logging = Path.of("/usr/share/java/log4j-1.2.jar");
        for (Path file : List.of(library, logging)) {
            if (!Files.exists(file)) {
                out.println("  mpj: no " + file + ", left out; it wants libmpj-java liblog4j1.2-java");
                return;
            }
        }
        boolean isRoot = System.getProperty("user.name").equals("root");
        if (!isRoot || Commands.find("unshare").isEmpty() || Commands.find("ip").isEmpty()) {
            out.println(
                    "  mpj: its daemon listens on all addresses, and only root can shut it in (unshare, ip); left out");
            return;
        }
        Path classes = Files.createDirectories(built.resolve("mpj"));
        programs.compileForMpjExpress(library, classes);
        String run = home.resolve("benchmarks/src/main/mpj/run").toString();
        found.add(new Peer(
                "mpj",
                "MPJ Express 0.44, niodev",
                (ranks, medium) -> medium.equals("tcp")
                        ? null
                        : new JobSpec(
                                "mpj",
                                List.of(run, Integer.toString(ranks), classes.toString()),
                                Map.of("PATH", Path.of(Java.home("java")).getParent() + ":" + System.getenv("PATH")),
                                ranks <= cores,
                                true),
                null));
    }

    private Path compile(String name, String label, Path compiler) throws IOException, InterruptedException {
        Path source = home.resolve("benchmarks/src/main/c/" + name + ".c");
        Path program = built.resolve(name + "." + label.replace("@", "-other"));
        Commands.run(List.of(compiler.toString(), "-O2", "-o", program.toString(), source.toString()));
        return program;
    }

    private boolean isMissing(String label, String packages, Path... files) {
        for (Path file : files) {
            if (!Files.isExecutable(file)) {
                out.println("  " + label + ": no " + file + ", left out; it wants " + packages);
                return true;
            }
        }
        return false;
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("").strip();
    }
}
