package org.ulfmj.rabit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.rabit.engine.Snapshots;
import org.ulfmj.rabit.spill.Spill;
import org.ulfmj.rabit.spill.SpillSeal;

class SpillTest {
    private static final SpillSeal JOB = new SpillSeal("job-1", new byte[] {1, 2, 3});

    @TempDir
    private Path directory;

    private static void write(Spill spill, int... versions) {
        for (int version : versions) {
            spill.write(version, false, Snapshots.empty());
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return new ArrayList<>(all.sorted().toList());
        }
    }

    @Test
    void shouldKeepTheLastTwoVersions() {
        Spill spill = new Spill(directory, JOB, 3, true);
        write(spill, 1, 2, 3, 4);

        assertThat(spill.versions()).containsExactly(3, 4);
        Spill successor = new Spill(directory, JOB, 3, false);
        assertThat(successor.versions()).containsExactly(3, 4);
        assertThat(successor.whole(4)).isEqualTo(Snapshots.empty());
        assertThat(successor.hasLocals()).isFalse();
    }

    @Test
    void shouldTellFromTheNameWhetherThereAreLocalModels() {
        new Spill(directory, JOB, 3, true).write(1, true, Snapshots.empty());

        Spill successor = new Spill(directory, JOB, 3, false);
        assertThat(successor.hasLocals()).isTrue();
        assertThat(successor.whole(1)).isNotNull();
    }

    @Test
    void shouldNotCountOnAFileThatIsNotWhatWasWritten() throws Exception {
        Spill spill = new Spill(directory, JOB, 0, true);
        write(spill, 1);
        byte[] content = Files.readAllBytes(files().get(0));
        content[content.length - 1] ^= 1;
        Files.write(files().get(0), content);

        assertThat(spill.whole(1)).isNull();
        assertThat(spill.versions()).isEmpty();
    }

    @Test
    void shouldNeitherSeeNorRemoveAnotherJobsFiles() throws Exception {
        SpillSeal other = new SpillSeal("job-2", new byte[] {4});
        write(new Spill(directory, other, 1, true), 7);
        Files.createFile(directory.resolve("unrelated"));

        Spill first = new Spill(directory, JOB, 1, true);
        assertThat(first.versions()).isEmpty();
        assertThat(new Spill(directory, JOB, 1, false).versions()).isEmpty();
        write(first, 1, 2);
        first.clear();
        assertThat(files()).hasSize(2);
        assertThat(new Spill(directory, other, 1, false).whole(7)).isNotNull();
    }

    @Test
    void shouldNotTakeAFileThatWasPlantedOrIsOfAnotherPlace() throws Exception {
        Spill spill = new Spill(directory, JOB, 1, true);
        write(spill, 3);
        Path own = files().get(0);
        String name = own.getFileName().toString();
        Files.copy(own, directory.resolve(name.replace("version-3", "version-9")));
        Files.copy(own, directory.resolve(name.replace("rank-1", "rank-2")));
        write(new Spill(directory, new SpillSeal("job-1", new byte[] {9}), 4, true), 5);

        Spill successor = new Spill(directory, JOB, 1, false);
        assertThat(successor.versions()).containsExactly(3, 9);
        assertThat(successor.whole(9)).isNull();
        assertThat(successor.versions()).containsExactly(3);
        assertThat(new Spill(directory, JOB, 2, false).whole(3)).isNull();
        assertThat(new Spill(directory, JOB, 4, false).whole(5)).isNull();
    }

    @Test
    void shouldFollowNoLinkWhenItWritesOrReads() throws Exception {
        Path precious = directory.resolve("precious");
        Files.writeString(precious, "mine");
        Files.createSymbolicLink(directory.resolve("job-1.rank-0.version-unfinished"), precious);
        Spill spill = new Spill(directory, JOB, 0, true);
        write(spill, 1);
        assertThat(spill.end()).isNull();
        assertThat(precious).hasContent("mine");

        Path own = directory.resolve("job-1.rank-0.version-1.rabit");
        Files.move(own, directory.resolve("elsewhere"));
        Files.createSymbolicLink(own, directory.resolve("elsewhere"));
        assertThat(spill.whole(1)).isNull();
    }

    @Test
    void shouldNotCountOnVersionsAboveTheOneThatWasGoneBackTo() throws Exception {
        Spill spill = new Spill(directory, JOB, 3, true);
        write(spill, 4, 5);
        spill.forgetAbove(4);
        assertThat(spill.versions()).containsExactly(4);
        assertThat(new Spill(directory, JOB, 3, false).versions()).containsExactly(4);
    }

    @Test
    void shouldWaitForNoPipeThatLiesInTheWay() throws Exception {
        Path pipe = directory.resolve("job-1.rank-0.version-7.rabit");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Spill spill = new Spill(directory, JOB, 0, false);
        assertThat(spill.versions()).containsExactly(7);
        // Opening a file cannot be interrupted, so another thread reads: if the read waited, only that thread would
        // hang.
        CompletableFuture<Object> read = CompletableFuture.supplyAsync(() -> spill.whole(7));
        assertThat(read.get(30, TimeUnit.SECONDS)).isNull();
        assertThat(spill.versions()).isEmpty();
    }

    @Test
    void shouldAllocateNothingForAFileThatIsLongerThanAnyCanBe() throws Exception {
        Path file = directory.resolve("job-1.rank-0.version-7.rabit");
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(Math.min(Integer.MAX_VALUE, Runtime.getRuntime().maxMemory() + 1));
        }
        assertThat(new Spill(directory, JOB, 0, false).whole(7)).isNull();
    }

    @Test
    void shouldReadNoFileOfAnotherUser() throws Exception {
        Spill spill = new Spill(directory, JOB, 0, true);
        write(spill, 1, 2);
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can give files away");
        Files.setAttribute(directory.resolve("job-1.rank-0.version-2.rabit"), "unix:uid", 12_345);
        assertThat(spill.whole(2)).isNull();
        assertThat(spill.whole(1)).isNotNull();
    }

    @Test
    void shouldLetNoOtherUserReadIt() throws Exception {
        Path own = directory.resolve("made");
        write(new Spill(own, JOB, 0, true), 1);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(own.resolve("job-1.rank-0.version-1.rabit"))))
                .isEqualTo("rw-------");
    }

    @Test
    void shouldStopWritingWhenTheDiskTakesNothingMore() throws Exception {
        Spill spill = new Spill(directory, JOB, 3, true);
        write(spill, 1);
        Files.createDirectories(directory.resolve("job-1.rank-3.version-unfinished/in-the-way"));
        write(spill, 2, 3);

        assertThat(spill.end()).contains("version 2 cannot be written to " + directory);
        assertThat(spill.versions()).containsExactly(1);
        assertThat(spill.whole(1)).isNotNull();
    }

    @Test
    void shouldWriteInAnInterruptedThread() {
        Spill spill = new Spill(directory, JOB, 3, true);

        Thread.currentThread().interrupt();
        write(spill, 1);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(spill.versions()).containsExactly(1);
        assertThat(spill.whole(1)).isEqualTo(Snapshots.empty());
    }

    @Test
    void shouldReadInAnInterruptedThread() {
        Spill spill = new Spill(directory, JOB, 3, true);
        write(spill, 1);

        Thread.currentThread().interrupt();
        ByteBuffer content = spill.whole(1);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(content).isEqualTo(Snapshots.empty());
        assertThat(spill.versions()).containsExactly(1);
    }

    @Test
    void shouldClearEveryVersionThatCanBeRemoved() throws Exception {
        Spill spill = new Spill(directory, JOB, 3, true);
        write(spill, 1, 2);
        Path stays = directory.resolve("job-1.rank-3.version-1.rabit");
        Files.delete(stays);
        Files.createDirectories(stays.resolve("in-the-way"));

        spill.clear();

        assertThat(files()).containsExactly(stays);
    }
}
