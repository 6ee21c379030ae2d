package org.ulfmj.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostLockTest {
    @TempDir
    private Path directory;

    @Test
    void shouldShowTheProcessThatHasIt() {
        HostLock lock = new HostLock(directory);
        assertThat(lock.holder()).as("there is no file yet").isZero();

        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.tryLock()).as("it has it already").isTrue();
        assertThat(lock.holder()).isEqualTo(ProcessHandle.current().pid());

        lock.unlock();
        assertThat(lock.holder()).isZero();
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    @Test
    void shouldNotBeHadWhereTheJobDirectoryIsGone() {
        HostLock lock = new HostLock(directory.resolve("gone"));
        assertThat(lock.tryLock()).isFalse();
        assertThat(lock.holder()).isZero();
    }

    @Test
    void shouldFindTheHolderAmongTheLocksOfTheHost() {
        List<String> lines = List.of(
                "1: FLOCK  ADVISORY  WRITE 5005 00:19:1412 0 EOF",
                "2: POSIX  ADVISORY  WRITE 4711 08:01:393223 0 EOF",
                "2: -> POSIX  ADVISORY  WRITE 4712 08:01:393223 0 EOF");
        assertThat(HostLock.holder(lines, "393223")).isEqualTo(4711);
        assertThat(HostLock.holder(lines, "1412")).isEqualTo(5005);
        assertThat(HostLock.holder(lines, "412")).isZero();
    }

    @Test
    void shouldSeeASigkillThatWaitsForTheProcess() {
        assertThat(OrphanedHost.hasKill("Name:\tx\nSigPnd:\t0000000000000000\nShdPnd:\t0000000000000100\n"))
                .isTrue();
        assertThat(OrphanedHost.hasKill("SigPnd:\t0000000000000100\nShdPnd:\t0000000000000000\n"))
                .isTrue();
        assertThat(OrphanedHost.hasKill(
                        "SigPnd:\t0000000000004000\nShdPnd:\t0000000000000080\nSigCgt:\t0000000000000100\n"))
                .isFalse();
    }
}
