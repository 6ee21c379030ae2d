package org.ulfmj.transport.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessStatTest {
    private static final String REST = " 1 2 3 4 -1 6 7 8 9 10 11 12 13 14 15 16 17 18 424242 20 21";

    @Test
    void shouldReadAllFieldsAlsoBehindAStrangeName() {
        ProcessStat plain = ProcessStat.parse("4711 (java) S" + REST);
        assertThat(plain.pid()).isEqualTo(4711);
        assertThat(plain.name()).isEqualTo("java");
        assertThat(plain.state()).isEqualTo('S');
        assertThat(plain.parent()).isEqualTo(1);
        assertThat(plain.group()).isEqualTo(2);
        assertThat(plain.session()).isEqualTo(3);
        assertThat(plain.terminal()).isEqualTo(4);
        assertThat(plain.terminalGroup()).isEqualTo(-1);
        assertThat(plain.processorTicks()).isEqualTo(11 + 12);
        assertThat(plain.threads()).isEqualTo(17);
        assertThat(plain.startTicks()).isEqualTo(424242);
        ProcessStat strange = ProcessStat.parse("4711 (a) Z (b) R" + REST);
        assertThat(strange.name()).isEqualTo("a) Z (b");
        assertThat(strange.state()).isEqualTo('R');
        assertThat(strange.startTicks()).isEqualTo(424242);
    }

    @Test
    void shouldBelieveAZombieOnlyOfAVirtualMachine() {
        assertThat(ProcessStat.parse("1 (java) Z" + REST).hasEnded()).isTrue();
        assertThat(ProcessStat.parse("1 (python3) Z" + REST).hasEnded()).isFalse();
        assertThat(ProcessStat.parse("1 (python3) X" + REST).hasEnded()).isTrue();
        assertThat(ProcessStat.parse("1 (java) T" + REST).hasEnded()).isFalse();
    }

    @Test
    void shouldNotTakeAProcessForEndedWhollyWhileThreadsAreLeft() {
        assertThat(ProcessStat.parse("1 (java) Z" + REST).hasEndedWholly()).isFalse();
        assertThat(ProcessStat.parse("1 (java) Z" + REST.replace(" 17 ", " 1 ")).hasEndedWholly())
                .isTrue();
        assertThat(ProcessStat.parse("1 (java) S" + REST.replace(" 17 ", " 1 ")).hasEndedWholly())
                .isFalse();
    }

    @Test
    void shouldNotGuessAnUnknownFormat() {
        ProcessStat shortened = ProcessStat.parse("1 (java) S 1 2");
        assertThatThrownBy(shortened::startTicks)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("/proc shows an unknown format: 1 (java) S 1 2");
        assertThatThrownBy(() -> ProcessStat.parse("nonsense")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldFindThisProcessAndNoOther() {
        ProcessStat self = ProcessStat.ofSelf();
        assertThat(self.hasEnded()).isFalse();
        HostProcess process = HostProcess.self();
        assertThat(process.startTicks()).isEqualTo(self.startTicks()).isPositive();
        assertThat(process.pid()).isEqualTo(ProcessHandle.current().pid());
        assertThat(process.bootId()).hasSize(36);
        assertThat(process.pidNamespace()).isPositive();
        assertThat(process.mayBeAlive()).isTrue();
        assertThat(ProcessStat.of(0)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"9, 137", "139, 139", "1792, 7", "0, 0", "65280, 255"})
    void shouldReadTheExitCodeAsAShellHasIt(int status, int code) {
        assertThat(ProcessStat.parse("4711 (java) Z 1 4711 0 0 " + status + "\n")
                        .exitCode())
                .isEqualTo(code);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldTellTheExitCodeOfWhatIsDeadAndNotWaitedForYet() throws IOException {
        Process parent = new ProcessBuilder("sh", "-c", "sleep 600 & echo $!; exec sleep 600").start();
        long pid = Long.parseLong(parent.inputReader().readLine());
        ProcessHandle child = ProcessHandle.of(pid).orElseThrow();
        try (ProcessStat state = ProcessStat.open(pid)) {
            long deadlineNs = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            // A shell may reap its child at any time. The sleep program that the shell becomes by exec does not, so the
            // test waits for the exec.
            while (!isOther(parent)) {
                assertThat(System.nanoTime() - deadlineNs).isNegative();
            }
            child.destroyForcibly();
            while (state.readState() != 'Z') {
                assertThat(System.nanoTime() - deadlineNs).isNegative();
            }
            assertThat(state.exitCode()).isEqualTo(137);
        } finally {
            child.destroyForcibly();
            parent.destroyForcibly();
        }
    }

    private static boolean isOther(Process shell) {
        return shell.info()
                .arguments()
                .filter(arguments -> arguments.length == 1)
                .isPresent();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldTellThatAProcessIsGone() throws IOException {
        Process sleeper = new ProcessBuilder("sleep", "600").start();
        try (ProcessStat state = ProcessStat.open(sleeper.pid())) {
            assertThat(state.readState()).isIn('R', 'S', 'D');
            sleeper.destroyForcibly();
            long deadlineNs = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            char letter = state.readState();
            while (letter != ProcessStat.GONE && System.nanoTime() < deadlineNs) {
                letter = state.readState();
            }
            assertThat(letter).isEqualTo(ProcessStat.GONE);
        } finally {
            sleeper.destroyForcibly();
        }
    }

    @Test
    void shouldHaveNothingToOpenForAProcessThatDoesNotExist() {
        assertThat(ProcessStat.open(Integer.MAX_VALUE)).isNull();
    }
}
