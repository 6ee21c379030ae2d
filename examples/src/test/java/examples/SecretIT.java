package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Inspects one job from outside while it runs, and after one of its ranks has been killed: its output, processes,
 * threads and recordings must not contain its secret, its files may be accessible to its owner only, and it may listen
 * on loopback addresses only.
 */
class SecretIT {
    private static final int RANKS = 2;
    private static final long LIMIT_SECONDS = 120;

    @TempDir
    Path directory;

    private final List<String> forms = new ArrayList<>();

    @Test
    @Timeout(300)
    void shouldKeepItsSecretAndShowItselfToItsOwnerAlone() throws Exception {
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of("")
                                .toAbsolutePath()
                                .getParent()
                                .resolve("bin/mpiexec")
                                .toString(),
                        "-n",
                        Integer.toString(RANKS),
                        "--timeout",
                        "240",
                        "--set",
                        "ulfm.ft.verbose=2",
                        "java",
                        "-XX:StartFlightRecording:filename=" + directory.resolve("rank-%p.jfr"),
                        "-cp",
                        MpiexecRun.testPrograms(),
                        Steady.class.getName(),
                        directory.resolve("stop").toString())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process job = builder.start();
        try {
            Doors.await(job, RANKS, LIMIT_SECONDS);
            List<ProcessHandle> ranks = Doors.ranksOf(job.toHandle());
            Path secret = Path.of(Doors.environment(ranks.get(0).pid()).get("ULFM_TOKEN_FILE"));
            setForms(Files.readAllBytes(secret));
            List<ProcessHandle> all = new ArrayList<>(List.of(job.toHandle()));
            all.addAll(job.toHandle().descendants().toList());
            for (ProcessHandle each : all) {
                lookAtProcess(each.pid());
            }
            lookAtThreads(ranks.get(0).pid());
            jcmd(ranks.get(0).pid(), "JFR.dump", "filename=" + directory.resolve("dumped.jfr"));
            lookAtFiles(secret.getParent());
            lookAtFiles(Path.of("/dev/shm", "ulfm-shm-" + runOf(ranks.get(0))));
            assertThat(Doors.boundTo(all)).isNotEmpty().allMatch(Doors::isLoopback);

            ranks.get(1).destroyForcibly();
            assertThat(job.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            job.destroy();
        }
        assertThat(Files.readString(err)).contains("rank 1").satisfies(this::holdsNothing);
        assertThat(Files.readString(out)).satisfies(this::holdsNothing);
        lookAtRecordings();
    }

    private static String runOf(ProcessHandle rank) {
        return Doors.environment(rank.pid()).get("ULFM_RUN_ID");
    }

    /**
     * Sets the forms in which the secret could be written: raw, in hexadecimal, in base 64, and its first eight bytes
     * as a list of numbers.
     */
    private void setForms(byte[] secret) {
        String hex = HexFormat.of().formatHex(secret);
        forms.add(new String(secret, StandardCharsets.ISO_8859_1));
        forms.add(hex);
        forms.add(hex.toUpperCase(Locale.ROOT));
        forms.add(Base64.getEncoder().withoutPadding().encodeToString(secret));
        forms.add(Base64.getUrlEncoder().withoutPadding().encodeToString(secret));
        // As Java prints an array of bytes.
        StringBuilder list = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            list.append(i == 0 ? "" : ", ").append(secret[i]);
        }
        forms.add(list.toString());
    }

    private void holdsNothing(String text) {
        for (String form : forms) {
            // Half of it is too much, too.
            assertThat(text.contains(form.substring(0, form.length() / 2)))
                    .as("holds the secret")
                    .isFalse();
        }
    }

    private void lookAtProcess(long pid) throws IOException {
        for (String file : List.of("environ", "cmdline", "comm")) {
            Path path = Path.of("/proc/" + pid, file);
            try {
                holdsNothing(new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1));
            } catch (IOException gone) {
                assertThat(ProcessHandle.of(pid)).as(path.toString()).isEmpty();
            }
        }
    }

    private void lookAtThreads(long pid) throws Exception {
        assertThat(jcmd(pid, "Thread.print", "-l")).contains("\"main\"").satisfies(this::holdsNothing);
    }

    private static String jcmd(long pid, String... command) throws Exception {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
        words.add(Long.toString(pid));
        words.addAll(List.of(command));
        Process jcmd = new ProcessBuilder(words).redirectErrorStream(true).start();
        String text = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(jcmd.waitFor()).as(text).isZero();
        return text;
    }

    private static void lookAtFiles(Path folder) throws IOException {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        List<Path> all = filesIn(folder);
        while (all.size() <= RANKS && System.nanoTime() - endNs < 0) {
            all = filesIn(folder);
        }
        assertThat(all).as("files in %s", folder).hasSizeGreaterThan(RANKS);
        for (Path file : all) {
            PosixFileAttributes facts;
            try {
                facts = Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            } catch (NoSuchFileException goneMeanwhile) {
                continue;
            }
            assertThat(PosixFilePermissions.toString(facts.permissions()))
                    .as(file.toString())
                    .isEqualTo(facts.isDirectory() ? "rwx------" : "rw-------");
            assertThat(facts.isSymbolicLink()).as(file.toString()).isFalse();
        }
    }

    private static List<Path> filesIn(Path folder) throws IOException {
        while (true) {
            try (Stream<Path> files = Files.walk(folder)) {
                return files.toList();
            } catch (UncheckedIOException goneMeanwhile) {
                // The job makes and removes files while it runs, so the walk is repeated.
            }
        }
    }

    private void lookAtRecordings() throws IOException {
        int events = 0;
        try (Stream<Path> files = Files.list(directory)) {
            for (Path recording :
                    files.filter(file -> file.toString().endsWith(".jfr")).toList()) {
                if (Files.size(recording) == 0) {
                    // A rank that is killed, or ended by the launcher, may leave an empty recording.
                    continue;
                }
                holdsNothing(new String(Files.readAllBytes(recording), StandardCharsets.ISO_8859_1));
                for (RecordedEvent event : RecordingFile.readAllEvents(recording)) {
                    holdsNothing(event.toString());
                    events++;
                }
            }
        }
        assertThat(events).as("recorded events of a rank").isPositive();
    }
}
