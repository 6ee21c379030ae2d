package org.ulfmj.testkit.mutant;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each method of Open MPI's Java bindings has a test that notices when the method does nothing: the method's body is
 * replaced, its class compiled, and tests that call it run in a process of their own until one fails.
 *
 * <p>{@code -Dapi.mutants=all} tries all of them, which takes an hour, {@code -Dapi.mutants=Group,Info.get} those of a
 * class or a name; else it is a sample.
 */
class ApiMutantsTest {
    private static final Path API = Path.of("../ulfm-api");
    private static final Path SOURCES = API.resolve("src/main/java/mpi");
    private static final String SAMPLE = "CartComm.getCoords,Comm.iProbe,Datatype.getTrueLb";
    private static final long LIMIT_S = 100;
    /** How many test classes may miss a mutant before it counts as missed. */
    private static final int TRIES = 12;

    /**
     * Tests that read signatures, or fail for any call that is not refused; and those that run for long. None of them
     * counts.
     */
    private static final List<String> NOT_COUNTED = List.of(
            "ApiMutants", "BadCalls", "Signatures", "PublicSurface", "Layout", "Javadoc", "Swarm", "Load", "ManyRanks");

    /** Methods that may do nothing, with the reason. */
    private static final List<String> MAY_DO_NOTHING = List.of(
            // A hint for a profiler; there is none.
            "MPI.pControl",
            // Each class that a program can have an object of has its own.
            "Comm.clone");

    @TempDir
    private Path classes;

    @Test
    void shouldHaveATestThatNoticesWhenACallDoesNothing() throws Exception {
        List<String> asked = List.of(System.getProperty("api.mutants", SAMPLE).split(","));
        List<ApiItem> items = new ArrayList<>(ApiItem.readAll(API.resolve("src/test/resources/mpi/open-mpi.txt")));
        items.removeIf(item -> MAY_DO_NOTHING.contains(item.type() + "." + item.name()));
        if (!asked.contains("all")) {
            items.removeIf(item -> !asked.contains(item.type()) && !asked.contains(item.type() + "." + item.name()));
        }
        List<String> missed = new ArrayList<>();
        int tried = 0;
        for (ApiItem item : items) {
            String mutant = item.emptied(SOURCES);
            if (mutant != null) {
                String by = noticedBy(item, mutant);
                System.out.println(item.line() + ": " + (by == null ? "MISSED" : by));
                if (by == null) {
                    missed.add(item.line());
                }
                tried++;
            }
        }
        assertThat(missed).isEmpty();
        assertThat(tried).isPositive();
    }

    /** The test class that fails with the mutant; null if none does. */
    private String noticedBy(ApiItem item, String mutant) throws Exception {
        try (Stream<Path> old = Files.walk(classes)) {
            old.map(Path::toFile).filter(File::isFile).forEach(File::delete);
        }
        compile(item, mutant);
        int tries = 0;
        for (String test : testsThatCall(item)) {
            if (tries++ == TRIES) {
                break;
            }
            if (fails(test)) {
                return test;
            }
        }
        return null;
    }

    private void compile(ApiItem item, String mutant) throws IOException {
        Path source = Files.writeString(classes.resolve(item.type() + ".java"), mutant);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean isCompiled = compiler.getTask(
                            null,
                            files,
                            null,
                            List.of(
                                    "-proc:none",
                                    "-d",
                                    classes.toString(),
                                    "-cp",
                                    System.getProperty("java.class.path")),
                            null,
                            files.getJavaFileObjects(source.toFile()))
                    .call();
            assertThat(isCompiled).as("the mutant of %s compiles", item.line()).isTrue();
        }
    }

    /** Test classes whose text has a call of this name; those whose name has the class first, then the short ones. */
    private static List<String> testsThatCall(ApiItem item) throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path root : List.of(API.resolve("src/test/java"), Path.of("src/test/java"))) {
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file : files.filter(each -> each.toString().endsWith("Test.java"))
                        .toList()) {
                    String text = Files.readString(file);
                    boolean calls = text.contains("." + item.name() + "(") || text.contains("::" + item.name());
                    if (calls
                            && NOT_COUNTED.stream()
                                    .noneMatch(name ->
                                            file.getFileName().toString().startsWith(name))) {
                        found.add(root.relativize(file));
                    }
                }
            }
        }
        found.sort(Comparator.comparing(
                        (Path file) -> !file.getFileName().toString().startsWith(item.type()))
                .thenComparing(file -> file.toString().contains("Simulated"))
                .thenComparing(Path::toString));
        return found.stream()
                .map(file -> file.toString().replace(".java", "").replace(File.separatorChar, '.'))
                .toList();
    }

    private boolean fails(String test) throws Exception {
        String classPath = String.join(
                File.pathSeparator,
                classes.toString(),
                API.resolve("target/test-classes").toAbsolutePath().toString(),
                System.getProperty("java.class.path"));
        // Tests of the API read their sources, so they run where they are.
        boolean isOfApi = test.startsWith("mpi.");
        Process run = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        classPath,
                        TestRun.class.getName(),
                        test)
                .directory(isOfApi ? API.toFile() : new File("."))
                .redirectErrorStream(true)
                .redirectOutput(classes.resolve("out").toFile())
                .start();
        if (!run.waitFor(LIMIT_S, TimeUnit.SECONDS)) {
            run.destroyForcibly().waitFor();
            return true;
        }
        if (run.exitValue() == 2) {
            throw new AssertionError("no test of " + test + " ran: " + Files.readString(classes.resolve("out")));
        }
        return run.exitValue() == 1;
    }
}
