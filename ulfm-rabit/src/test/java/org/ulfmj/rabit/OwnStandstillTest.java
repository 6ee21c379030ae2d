package org.ulfmj.rabit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows what a rank knows of its own process and of its job without a message to another rank. */
class OwnStandstillTest {
    private static final long PAUSE_NS = 500_000_000;

    @TempDir
    private Path job;

    @Test
    void shouldNotCountTheTimeInWhichTheProcessStoodStill() {
        assertThat(Deadlines.stall(PAUSE_NS, PAUSE_NS)).isZero();
        assertThat(Deadlines.stall(2 * PAUSE_NS, PAUSE_NS)).isZero();
        assertThat(Deadlines.stall(20 * PAUSE_NS, PAUSE_NS)).isEqualTo(18 * PAUSE_NS);
    }

    @Test
    void shouldTellThatNothingWasCommittedUntilARankBeginsTo() throws Exception {
        FirstCommit survivor = new FirstCommit(job);
        assertThat(new FirstCommit(job).isStillToCome()).isTrue();

        survivor.begin();
        survivor.begin();
        new FirstCommit(job).begin();

        assertThat(new FirstCommit(job).isStillToCome()).isFalse();
    }

    @Test
    void shouldKnowNothingWhereNothingOutlivesTheRanks() throws Exception {
        FirstCommit thread = new FirstCommit(null);
        thread.begin();
        assertThat(thread.isStillToCome()).isFalse();
        Path gone = Files.createDirectory(job.resolve("gone"));
        FirstCommit orphan = new FirstCommit(gone);
        Files.delete(gone);
        assertThat(orphan.isStillToCome()).isFalse();
    }
}
