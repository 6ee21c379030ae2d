package org.ulfmj.detector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;

/**
 * Tests rule J1 as one rank sees it; the launcher is dead, in one test only after a time in which it is out of reach.
 * The timeout is 1 s, so the judge looks every 50 ms.
 */
class OrphanJudgeTest {
    private static final long MS = 1_000_000;
    private static final ProcessId SILENT = ProcessId.of(2);
    private static final ProcessId OTHER = ProcessId.of(3);

    private final Host host = new Host();
    private final OrphanJudge judge = new OrphanJudge(host, 1_000 * MS);

    @Test
    void shouldEndUnderTheLockWhatIsSilentForAnotherTimeout() {
        judge.silent(SILENT, 0);

        runTo(999);
        assertThat(host.done).isEmpty();
        runTo(1_000);
        assertThat(host.done).containsExactly("locks");
        runTo(1_050);
        assertThat(host.done).containsExactly("locks", "kills 2");
        judge.gone(SILENT);
        assertThat(host.done).containsExactly("locks", "kills 2", "unlocks");
        assertThat(judge.nextDeadlineNs()).isLessThanOrEqualTo(1_100 * MS);
        runTo(5_000);
        assertThat(host.done).hasSize(3);
    }

    @Test
    void shouldGiveTheLockBackIfTheSilenceHasEndedMeanwhile() {
        judge.silent(SILENT, 0);
        runTo(1_000);
        judge.heard(SILENT);
        runTo(1_100);

        assertThat(host.done).containsExactly("locks", "unlocks");
    }

    @Test
    void shouldGiveTheLockBackAndJudgeNoProcessOnceItHasSaidGoodbye() {
        judge.silent(SILENT, 0);
        runTo(1_050);
        judge.leave();
        judge.silent(OTHER, 1_100 * MS);

        assertThat(host.done).containsExactly("locks", "kills 2", "unlocks");
        assertThat(judge.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
        runTo(5_000);
        assertThat(host.done).hasSize(3);
    }

    @Test
    void shouldCountASilenceAnewAfterItEnded() {
        judge.silent(SILENT, 0);
        runTo(900);
        judge.heard(SILENT);
        judge.silent(SILENT, 950 * MS);
        runTo(1_949);
        assertThat(host.done).isEmpty();
        runTo(2_100);
        assertThat(host.done).containsExactly("locks", "kills 2");
    }

    @Test
    void shouldDoNothingWhileTheLauncherIsOnlyOutOfReach() {
        host.launcher = OrphanJudge.Launcher.LOST;
        judge.silent(SILENT, 0);
        runTo(60_000);
        assertThat(host.done).isEmpty();

        host.launcher = OrphanJudge.Launcher.DEAD;
        runTo(60_100);
        assertThat(host.done).containsExactly("locks", "kills 2");
    }

    @Test
    void shouldWaitForTheLockOfAnotherThatRuns() {
        host.isLockFree = false;
        judge.silent(SILENT, 0);
        runTo(3_000);
        assertThat(host.done).isEmpty();

        host.isLockFree = true;
        runTo(3_100);
        assertThat(host.done).containsExactly("locks", "kills 2");
    }

    @Test
    void shouldEndAHolderThatIsStoppedWithoutTheLock() {
        host.isLockFree = false;
        host.stoppedHolder = OTHER;
        judge.silent(SILENT, 0);
        judge.silent(OTHER, 100 * MS);
        runTo(1_099);
        assertThat(host.done).as("it is not silent for long enough").isEmpty();
        runTo(1_150);
        assertThat(host.done).containsExactly("kills 3");

        host.isLockFree = true;
        host.stoppedHolder = null;
        judge.gone(OTHER);
        runTo(1_300);
        assertThat(host.done).containsExactly("kills 3", "locks", "kills 2");
    }

    @Test
    void shouldMarkWhatSigkillCannotEnd() {
        host.doomed = SILENT;
        judge.silent(SILENT, 0);
        runTo(1_500);
        assertThat(host.done).containsExactly("locks", "kills 2");
        runTo(1_550);
        assertThat(host.done).containsExactly("locks", "kills 2", "marks 2");
    }

    @Test
    void shouldKillAgainWhatRunsOn() {
        judge.silent(SILENT, 0);
        runTo(1_550);
        assertThat(host.done).containsExactly("locks", "kills 2", "kills 2");
    }

    @Test
    void shouldNotTakeAStallOfItsOwnForASilence() {
        judge.silent(SILENT, 0);
        runTo(100);
        judge.onTick(1_800 * MS);
        runTo(2_640);
        assertThat(host.done).as("it could not hear for 1,650 ms").isEmpty();
        runTo(2_750);
        assertThat(host.done).containsExactly("locks", "kills 2");
    }

    /** Ticks exactly when asked. */
    private void runTo(long ms) {
        while (judge.nextDeadlineNs() <= ms * MS) {
            judge.onTick(judge.nextDeadlineNs());
        }
    }

    private static final class Host implements OrphanJudge.Host {
        private final List<String> done = new ArrayList<>();
        private OrphanJudge.Launcher launcher = OrphanJudge.Launcher.DEAD;
        private boolean isLockFree = true;
        private ProcessId stoppedHolder;
        private ProcessId doomed;

        @Override
        public OrphanJudge.Launcher launcher() {
            return launcher;
        }

        @Override
        public boolean tryLock() {
            if (isLockFree) {
                done.add("locks");
            }
            return isLockFree;
        }

        @Override
        public void unlock() {
            done.add("unlocks");
        }

        @Override
        public boolean isStoppedHolder(ProcessId process) {
            return process.equals(stoppedHolder);
        }

        @Override
        public void kill(ProcessId process) {
            done.add("kills " + process.slot());
        }

        @Override
        public boolean isDoomed(ProcessId process) {
            return process.equals(doomed);
        }

        @Override
        public void mark(ProcessId process) {
            done.add("marks " + process.slot());
        }
    }
}
