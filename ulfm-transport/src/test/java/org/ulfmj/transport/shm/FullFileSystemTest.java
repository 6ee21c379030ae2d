package org.ulfmj.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.Lent;
import org.ulfmj.transport.host.HostProcess;

/** A file is refused when there is no room for it, shown in a process that would otherwise die of a SIGBUS. */
@Timeout(60)
class FullFileSystemTest {
    private static final int PIECE_BYTES = 64 * 1024;

    @TempDir
    Path base;

    /**
     * The main class of the process: makes files until one is refused, writes to all their bytes, and prints how many
     * there were, how many names the directory has, how many files are counted, and why the last one was refused.
     */
    static final class Filler {
        private Filler() {}

        public static void main(String[] args) throws IOException {
            ShmDirectory directory = ShmDirectory.create(ShmDirectory.pathFor(Path.of(args[0]), "full"));
            try (ShmFiles files = new ShmFiles(directory, ProcessId.of(0), HostProcess.self(), Long.MAX_VALUE)) {
                List<ShmSegment> made = new ArrayList<>();
                int pieceBytes = Integer.parseInt(args[1]);
                for (ShmSegment next = files.create(ProcessId.of(1), pieceBytes);
                        next != null;
                        next = files.create(ProcessId.of(1), pieceBytes)) {
                    made.add(next);
                }
                int whole = 0;
                for (ShmSegment segment : made) {
                    for (int at = 0; at < pieceBytes; at++) {
                        segment.memory().put(at, (byte) (at + whole));
                    }
                    whole++;
                }
                System.out.println(whole + " " + new File(directory.path().toString()).list().length + " "
                        + files.reservedBytes() / pieceBytes + " " + files.refusal());
            }
        }
    }

    /**
     * The main class of the process: lends memory until that is refused, writes to all of it, and prints how many
     * pieces it lent, for how many lanes room is left (eight at most), and how many files the lent memory has.
     */
    static final class Lender {
        private Lender() {}

        public static void main(String[] args) throws IOException {
            ShmDirectory directory = ShmDirectory.create(ShmDirectory.pathFor(Path.of(args[0]), "full"));
            try (ShmFiles files = new ShmFiles(directory, ProcessId.of(0), HostProcess.self(), Long.MAX_VALUE)) {
                List<Lent> held = new ArrayList<>();
                int pieceBytes = Integer.parseInt(args[1]);
                for (Lent next = files.lend(pieceBytes); next != null; next = files.lend(pieceBytes)) {
                    held.add(next);
                }
                int number = 0;
                for (Lent lent : held) {
                    for (int at = 0; at < pieceBytes; at++) {
                        lent.memory().put(at, (byte) (at + number));
                    }
                    number++;
                }
                int lanes = 0;
                while (lanes < 8 && files.create(ProcessId.of(1), PIECE_BYTES) != null) {
                    lanes++;
                }
                int names = new File(directory.path().toString()).list().length;
                System.out.println(number + " " + lanes + " " + (names - lanes - 3));
            }
        }
    }

    @Test
    void shouldLendNothingWhereAFileCannotBeWrittenToItsEnd() throws IOException, InterruptedException {
        assertThat(run(Lender.class, "ulimit -f 100; exec \"$@\"", 10 * PIECE_BYTES))
                .isEqualTo("0 0 0\n");
    }

    @Test
    void shouldLeaveRoomForLanesInASmallFileSystem() throws IOException, InterruptedException {
        String output = run(Lender.class, inSmallFileSystem(), PIECE_BYTES);

        String[] words = output.trim().split(" ");
        assertThat(Integer.parseInt(words[0])).as(output).isBetween(4, 11);
        assertThat(words[1]).as("lanes in the other half").isEqualTo("7");
        assertThat(words[2]).as("files of lent memory").isEqualTo(words[0]);
    }

    /** A limit on the length of files makes a write fail in its middle, as a full file system does. */
    @Test
    void shouldSayNoWhenAFileCannotBeWrittenToItsEnd() throws IOException, InterruptedException {
        String output = run(Filler.class, "ulimit -f 100; exec \"$@\"", 10 * PIECE_BYTES);

        assertThat(output).startsWith("0 3 0 ").contains("has no room for 655488 bytes: ");
    }

    @Test
    void shouldFillASmallFileSystemAndThenSayNo() throws IOException, InterruptedException {
        String output = run(Filler.class, inSmallFileSystem(), PIECE_BYTES);

        String[] words = output.split(" ");
        assertThat(Integer.parseInt(words[0])).as(output).isBetween(8, 15);
        assertThat(words[1])
                .as("files, two records and the sum")
                .isEqualTo(Integer.toString(Integer.parseInt(words[0]) + 3));
        assertThat(words[2]).as("pieces counted").isEqualTo(words[0]);
        assertThat(output).contains("No space left on device");
    }

    /** A shell script that runs a command with a file system of 1 MiB; skips the test where none can be mounted. */
    private String inSmallFileSystem() throws IOException, InterruptedException {
        String mount = "mount -t tmpfs -o size=1m,mode=700 none '" + base + "'";
        assumeTrue(
                new ProcessBuilder("sh", "-c", "unshare -rm sh -c \"" + mount + "\"")
                                .start()
                                .waitFor()
                        == 0,
                "a user may not mount a file system here");
        return "exec unshare -rm sh -c \"" + mount + " && exec \\\"\\$@\\\"\" sh \"$@\"";
    }

    private String run(Class<?> program, String script, int pieceBytes) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        "sh",
                        "-c",
                        script,
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:-UsePerfData",
                        "-cp",
                        System.getProperty("java.class.path"),
                        program.getName(),
                        base.toString(),
                        Integer.toString(pieceBytes))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
