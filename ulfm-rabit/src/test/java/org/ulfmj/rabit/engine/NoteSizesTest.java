package org.ulfmj.rabit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.ulfmj.agree.message.Contribution;

/**
 * Shows that a rank's note in a commit, without its call site, fits into an agreement of 4096 ranks, and that long
 * texts are cut to a given number of bytes.
 */
class NoteSizesTest {
    private static final int MOST_RANKS = 4096;
    private static final String SITE = "com.example.training.GradientBoosting.main(GradientBoosting.java:1234)";

    private static CommitNote note(int mostBytes) {
        CommitNote note = new CommitNote(
                CommitNote.Intent.SHUTDOWN,
                new Position(Position.VERSIONS, 1_000_000, 3_000_000_000L),
                true,
                Integer.MAX_VALUE,
                -7,
                SITE);
        byte[] bytes = note.toBytes(mostBytes);
        assertThat(bytes).hasSizeLessThanOrEqualTo(mostBytes);
        return CommitNote.fromBytes(bytes);
    }

    @Test
    void shouldCommitInAJobOf4096() {
        assertThat(Contribution.mostNoteBytes(MOST_RANKS)).isGreaterThanOrEqualTo(CommitNote.LEAST_BYTES);

        CommitNote small = note(Contribution.mostNoteBytes(MOST_RANKS));
        CommitNote large = note(1000);
        assertThat(large.site()).isEqualTo(SITE);
        assertThat(small.site()).isEmpty();
        assertThat(small.withLocal()).isTrue();
        assertThat(small.intent()).isEqualTo(large.intent());
        assertThat(small.position()).isEqualTo(large.position());
        assertThat(small.modelBytes()).isEqualTo(Integer.MAX_VALUE);
        assertThat(small.modelCrc()).isEqualTo(-7);
        assertThat(note(60).site()).startsWith("com.example.training.").endsWith("…");
    }

    @Test
    void shouldSayThatAModelIsNotSaved() {
        CommitNote lazy =
                new CommitNote(CommitNote.Intent.CHECKPOINT, Position.ofVersion(3), false, CommitNote.NOT_SAVED, 0, "");
        assertThat(CommitNote.fromBytes(lazy.toBytes(24))).isEqualTo(lazy);
    }

    @Test
    void shouldCutTextsByTheirBytesAndLeaveLettersWhole() {
        for (String letter : new String[] {"a", "ü", "字", "😀"}) {
            String cut = PlanTrouble.cut(letter.repeat(600), 100);
            assertThat(cut.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(94, 100);
            assertThat(cut).startsWith(letter + letter).endsWith(letter + "…");
        }
        assertThat(PlanTrouble.cut("ü".repeat(50), 100)).isEqualTo("ü".repeat(50));
        assertThat(PlanTrouble.cut("", 10)).isEmpty();
    }
}
