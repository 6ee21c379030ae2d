package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks that on Java 25 ranks start from a cache with profiles, which a process in the background makes after the
 * first job that ends well. The tests that need a cache share one, which is made before the first of them; those that
 * must find no cache have separate directories.
 */
@Tag("release")
class AotCacheIT {
    private static final Path INSTALLED = Path.of("/usr/lib/jvm");
    private static final String ARCHIVED = "org.ulfmj.rendezvous.client.RendezvousClient source: shared objects file";
    private static final String CACHE = "-XX:AOTCache=";
    private static final String CLASS_DATA = "-XX:SharedArchiveFile=";
    private static final long MOST_SECONDS = 90;
    private static final long PAUSE_NS = 20_000_000;
    private static final int ATTEMPTS = 3;
    /** Fields of /proc/PID/stat, counted behind the name. */
    private static final int SESSION = 3;

    private static final int NICE = 16;

    private static Path java;
    private static Path cache;

    @TempDir
    Path own;

    /** A process that makes a cache, with its environment, session and priority as /proc shows them. */
    private record Maker(long pid, String environment, String session, String nice) {}

    @BeforeAll
    static void makeTheCache() throws Exception {
        java = findJava();
        cache = Files.createTempDirectory("aot-cache");
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            assertThat(run(cache)).contains(CLASS_DATA).doesNotContain(CACHE);
            awaitNoMaker(cache);
            List<Path> files = caches(cache);
            assertThat(files).hasSize(1);
            if (Files.size(files.get(0)) > 0) {
                return;
            }
            // The cache is empty because the machine was too busy for a process of the lowest priority: make it again.
            Files.delete(files.get(0));
        }
        throw new AssertionError("no cache was made in " + ATTEMPTS + " attempts");
    }

    @AfterAll
    static void remove() throws IOException {
        if (cache != null) {
            removeAll(cache);
        }
    }

    @Test
    void shouldStartFromTheCacheOnceItIsMade() throws Exception {
        assertThat(run(cache, "-Xlog:class+load")).contains(CACHE, ARCHIVED).doesNotContain(CLASS_DATA);
    }

    @Test
    void shouldKeepTheCacheFromOtherUsers() throws Exception {
        Path file = caches(cache).get(0);
        assertThat(mode(file)).isEqualTo("rw-------");
        assertThat(mode(file.getParent())).isEqualTo("rwx------");
        try (Stream<Path> files = Files.list(file.getParent())) {
            assertThat(files.map(path -> path.getFileName().toString()))
                    .as("neither lock nor leftovers")
                    .hasSize(2)
                    .allMatch(name -> name.endsWith(".aot") || name.endsWith(".of"));
        }
    }

    @Test
    void shouldNotUseACacheThatOtherUsersCanWrite() throws Exception {
        Path file = caches(cache).get(0);
        try {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));
            assertThat(run(cache)).contains(CLASS_DATA).doesNotContain(CACHE);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            Files.setPosixFilePermissions(file.getParent(), PosixFilePermissions.fromString("rwxrwx---"));
            assertThat(run(cache)).contains(CLASS_DATA).doesNotContain(CACHE);
        } finally {
            Files.setPosixFilePermissions(file.getParent(), PosixFilePermissions.fromString("rwx------"));
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        }
        assertThat(run(cache)).contains(CACHE);
    }

    @Test
    void shouldFallBackToClassDataInSilenceWhereTheCacheDoesNotFit() throws Exception {
        assertThat(run(cache, "--add-modules", "java.sql", "-Xlog:class+load"))
                .contains(CLASS_DATA, ARCHIVED)
                .doesNotContain(CACHE);
        assertThat(run(cache, "-javaagent:" + agent(), "-Xlog:class+load"))
                .contains(CLASS_DATA, "agent was here")
                .doesNotContain(CACHE);
        assertThat(run(cache, "-Xmx64g")).doesNotContain(CACHE);
    }

    @Test
    void shouldRunInSilenceWithACacheThatTheVirtualMachineRefuses() throws Exception {
        Path file = caches(cache).get(0);
        byte[] intact = Files.readAllBytes(file);
        try {
            Files.write(file, Arrays.copyOf(intact, intact.length / 2));
            assertThat(run(cache, "-Xlog:class+load")).contains(CACHE).doesNotContain(ARCHIVED);
        } finally {
            Files.write(file, intact);
        }
        assertThat(run(cache, "-Xlog:class+load")).contains(ARCHIVED);
    }

    @Test
    void shouldLeaveArchivesToTheUserWhenHeChoosesThemHimself() throws Exception {
        assertThat(run(cache, "-Xshare:off")).doesNotContain(CACHE).doesNotContain(CLASS_DATA);
        assertThat(run(cache, "-XX:AOTMode=off")).doesNotContain(CACHE).doesNotContain(CLASS_DATA);
        assertThat(run(own, "-Xshare:auto")).doesNotContain(CACHE).doesNotContain(CLASS_DATA);
        assertThat(makers(own)).isEmpty();
        assertThat(own).isEmptyDirectory();
    }

    @Test
    void shouldNeitherUseNorMakeACacheWhenToldNotTo() throws Exception {
        Map<String, String> off = Map.of("ULFM_CLASS_ARCHIVE", "off");
        assertThat(run(cache, off, "0=join,goodbye")).doesNotContain(CACHE).doesNotContain(CLASS_DATA);
        run(own, off, "0=join,goodbye");
        assertThat(makers(own)).isEmpty();
        assertThat(own).isEmptyDirectory();
    }

    @Test
    void shouldMakeNoCacheAfterAJobThatFailed() throws Exception {
        try (Launched job = start(own, Map.of(), "0=join,exit:3")) {
            assertThat(job.exitCode()).isEqualTo(3);
        }
        assertThat(makers(own)).isEmpty();
        assertThat(own.resolve("ulfm").resolve("aot")).doesNotExist();
    }

    @Test
    void shouldMakeItDetachedWithTheLowestPriorityAndOnlyOnce() throws Exception {
        Map<String, String> nested = Map.of("ULFM_RUN_ID", "of-another-job", "ULFM_CLASS_ARCHIVE", "auto");
        run(own, nested, "0=join,goodbye");
        List<Maker> makers = makers(own);
        assertThat(makers).hasSize(1);
        Maker first = makers.get(0);
        assertThat(first.environment()).doesNotContain("ULFM_");
        assertThat(first.session()).isEqualTo(Long.toString(first.pid()));
        awaitMaking();
        assertThat(makers(own).get(0).nice()).isEqualTo("19");
        run(own);
        while (makers(own).contains(first) && makers(own).size() > 1) {
            LockSupport.parkNanos(PAUSE_NS);
        }
        assertThat(makings())
                .as("the second process leaves it to the first one")
                .hasSizeLessThan(2);
        for (Maker maker : makers(own)) {
            Launched.send("TERM", maker.pid());
        }
        awaitNoMaker(own);
        assertThat(makings()).as("a signal leaves nothing behind").isEmpty();
    }

    private static Path findJava() throws IOException {
        List<Path> found = new ArrayList<>();
        if (Files.isDirectory(INSTALLED)) {
            try (Stream<Path> homes = Files.list(INSTALLED)) {
                for (Path home : homes.toList()) {
                    Path release = home.resolve("release");
                    if (Files.exists(release)
                            && Files.readString(release).contains("JAVA_VERSION=\"25")
                            && Files.isExecutable(home.resolve("bin/java"))) {
                        found.add(home.resolve("bin/java"));
                    }
                }
            }
        }
        assumeTrue(!found.isEmpty(), "no JDK 25 under " + INSTALLED);
        return found.get(0);
    }

    /**
     * Returns what a job of one rank on Java 25 writes to stdout, with these options of its virtual machine; fails
     * unless it exits with 0 and stderr is empty.
     */
    private static String run(Path home, String... options) throws Exception {
        return run(home, Map.of(), "0=join,goodbye", options);
    }

    private static String run(Path home, Map<String, String> environment, String steps, String... options)
            throws Exception {
        try (Launched job = start(home, environment, steps, options)) {
            assertThat(job.exitCode()).as(job.err()).isZero();
            assertThat(job.err()).isEmpty();
            return job.out();
        }
    }

    private static Launched start(Path home, Map<String, String> environment, String steps, String... options) {
        List<String> words = new ArrayList<>(List.of("-n", "1", java.toString(), "-XX:+PrintCommandLineFlags"));
        words.addAll(List.of(options));
        String classes = Path.of("target", "test-classes").toAbsolutePath().toString();
        words.addAll(List.of("-cp", classes, Member.class.getName(), steps));
        Map<String, String> variables = new TreeMap<>(environment);
        variables.put("XDG_CACHE_HOME", home.toString());
        return Launched.start(variables, words.toArray(String[]::new));
    }

    /** Makes a jar with the manifest of a Java agent, whose class the class path has. */
    private Path agent() throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(new Attributes.Name("Premain-Class"), Agent.class.getName());
        Path jar = own.resolve("agent.jar");
        try (OutputStream file = Files.newOutputStream(jar)) {
            new JarOutputStream(file, manifest).close();
        }
        return jar;
    }

    public static final class Agent {
        private Agent() {}

        public static void premain(String arguments, Instrumentation instrumentation) {
            System.out.println("agent was here");
        }
    }

    private static List<Path> caches(Path home) throws IOException {
        try (Stream<Path> files = Files.list(home.resolve("ulfm").resolve("aot"))) {
            return files.filter(file -> file.toString().endsWith(".aot")).toList();
        }
    }

    private List<Path> makings() throws IOException {
        Path directory = own.resolve("ulfm").resolve("aot");
        if (!Files.exists(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith("making"))
                    .toList();
        }
    }

    private void awaitMaking() throws IOException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
        while (makings().isEmpty()) {
            assertThat(System.nanoTime()).as("no process makes the cache").isLessThan(deadlineNs);
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    private static void awaitNoMaker(Path home) {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
        while (!makers(home).isEmpty()) {
            assertThat(System.nanoTime()).as("the process makes it too long").isLessThan(deadlineNs);
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    /** The processes that make a cache in this directory. */
    private static List<Maker> makers(Path home) {
        List<Maker> makers = new ArrayList<>();
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            for (Path process : processes.toList()) {
                String pid = process.getFileName().toString();
                if (Character.isDigit(pid.charAt(0))) {
                    String command = text(process.resolve("cmdline"));
                    String environment = text(process.resolve("environ"));
                    if (command.contains("launch.archive.AotMaker") && environment.contains(home.toString())) {
                        String stat = text(process.resolve("stat"));
                        String[] fields =
                                stat.substring(stat.lastIndexOf(')') + 2).split(" ");
                        makers.add(new Maker(Long.parseLong(pid), environment, fields[SESSION], fields[NICE]));
                    }
                }
            }
            return makers;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The text of a file of /proc; empty if the process is gone or another user's. */
    private static String text(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static void removeAll(Path directory) throws IOException {
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException e) throws IOException {
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
