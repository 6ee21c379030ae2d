package org.ulfmj.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.host.HostProcess;

@Timeout(60)
class ShmSweeperTest {
    private static final HostProcess SELF = HostProcess.self();
    private static final ProcessId ZERO = ProcessId.of(0);

    @TempDir
    Path base;

    @Test
    void shouldRemoveTheDirectoryOfTheDeadAndNothingElse() throws IOException, InterruptedException {
        ShmDirectory mine = ShmDirectory.create(ShmDirectory.pathFor(base, "mine"));
        Path dead = directoryOf("dead", deadProcess());
        Path stranger = Files.createDirectory(base.resolve("stranger"));

        assertThat(ShmSweeper.sweep(base)).isEqualTo(1);
        assertThat(dead).doesNotExist();
        assertThat(mine.path()).exists();
        assertThat(stranger).exists();
    }

    @Test
    void shouldKeepADirectoryAsLongAsOneOfItsOwnersLives() throws IOException, InterruptedException {
        Path path = directoryOf("job", deadProcess());
        ShmFiles alive = new ShmFiles(ShmDirectory.open(path), ZERO, SELF, 1000);

        assertThat(ShmSweeper.sweep(base)).isZero();
        alive.close();
        assertThat(ShmSweeper.sweep(base)).isEqualTo(1);
        assertThat(path).doesNotExist();
    }

    @Test
    void shouldLeaveTheMemoryOfAProcessThatStillMapsAFileWhole() throws IOException, InterruptedException {
        HostProcess dead = deadProcess();
        Path path = directoryOf("job", dead);
        ShmFiles files = new ShmFiles(ShmDirectory.open(path), ZERO, dead, 10_000);
        ShmSegment segment = files.create(ProcessId.of(1), 5000);
        assertThat(ShmSweeper.sweep(base)).isEqualTo(1);

        for (int at = 0; at < 5000; at++) {
            segment.memory().put(at, (byte) at);
        }
        assertThat(segment.memory().get(4999)).isEqualTo((byte) 4999);
    }

    /** A pid may belong to another process by now, which started later. */
    @Test
    void shouldTellProcessesOfOnePidApart() throws IOException {
        HostProcess earlier = new HostProcess(SELF.pid(), SELF.startTicks() - 1, SELF.pidNamespace(), SELF.bootId());
        Path path = directoryOf("job", earlier);

        assertThat(ShmSweeper.sweep(base)).isEqualTo(1);
        assertThat(path).doesNotExist();
    }

    @Test
    void shouldHoldAnotherBootForDeadAndAnotherNamespaceForAlive() {
        String otherBoot = "00000000-1111-2222-3333-444444444444";
        assertThat(new HostProcess(SELF.pid(), SELF.startTicks(), SELF.pidNamespace(), otherBoot).mayBeAlive())
                .isFalse();
        assertThat(new HostProcess(1L << 40, 1, SELF.pidNamespace() + 1, SELF.bootId()).mayBeAlive())
                .isTrue();
        assertThat(SELF.mayBeAlive()).isTrue();
    }

    @Test
    void shouldGiveADirectoryThatIsBeingMadeItsTime() throws IOException {
        Path path = Files.createDirectory(
                ShmDirectory.pathFor(base, "new"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        assertThat(ShmSweeper.sweep(base)).isZero();

        Files.setLastModifiedTime(path, FileTime.from(Instant.now().minusSeconds(61)));
        assertThat(ShmSweeper.sweep(base)).isEqualTo(1);
        assertThat(path).doesNotExist();
    }

    @Test
    void shouldTouchNothingThatOthersMayWriteTo() throws IOException, InterruptedException {
        Path open = directoryOf("open", deadProcess());
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxr-x"));
        Path target = directoryOf("target", SELF);
        Path link = Files.createSymbolicLink(ShmDirectory.pathFor(base, "link"), target);

        assertThat(ShmSweeper.sweep(base)).isZero();
        assertThatThrownBy(() -> ShmDirectory.open(open))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        open + " cannot hold shared memory: it must be a directory of this user with mode rwx------");
        assertThatThrownBy(() -> ShmDirectory.open(link)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> ShmDirectory.create(target)).isInstanceOf(IOException.class);
    }

    @Test
    void shouldFindNothingWhereThereIsNothing() {
        assertThat(ShmSweeper.sweep(base.resolve("absent"))).isZero();
    }

    /** Makes a directory like that of a job, with one shared file and the owner record of the given process alone. */
    private Path directoryOf(String run, HostProcess owner) throws IOException {
        Path path = Files.createDirectory(
                ShmDirectory.pathFor(base, run),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        OwnerFile.create(path, "launcher", owner).keep();
        Files.write(path.resolve("0.0-1-0123456789abcdef"), new byte[100]);
        return path;
    }

    private static HostProcess deadProcess() throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sleep", "60").start();
        String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
        long startTicks =
                Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[19]);
        HostProcess owner = new HostProcess(process.pid(), startTicks, SELF.pidNamespace(), SELF.bootId());
        assertThat(owner.mayBeAlive()).isTrue();
        process.destroyForcibly();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return owner;
    }
}
