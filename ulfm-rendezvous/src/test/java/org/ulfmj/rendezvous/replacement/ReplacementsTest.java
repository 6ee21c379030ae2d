package org.ulfmj.rendezvous.replacement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;

class ReplacementsTest {
    private static final long MS = 1_000_000;
    private static final ProcessId FIRST = ProcessId.of(2);
    private static final ProcessId SECOND = new ProcessId(2, 1);

    private final List<String> done = new ArrayList<>();

    @Test
    void shouldStartTheNextProcessUntilRestartsAreUsedUp() {
        Replacements replacements = replacements(1, 0);
        assertThat(replacements.canReplace(2)).isTrue();
        assertThat(replacements.replace(FIRST, "rank 2 fell", 0)).isTrue();
        assertThat(done).containsExactly("announce 2'1", "rank 2 fell; starting it again as 2'1 (1 of 1)");
        replacements.tick(0);
        assertThat(done.remove(2)).isEqualTo("start 2'1");
        assertThat(replacements.canReplace(2)).isFalse();
        assertThat(replacements.canReplace(1)).isTrue();
        done.clear();
        assertThat(replacements.replace(SECOND, "rank 2'1 fell", 1)).isFalse();
        assertThat(done)
                .containsExactly(
                        "rank 2 is not started again: it has been started again once, as often as --max-restarts allows",
                        "refuse 2: it has been started again once, as often as --max-restarts allows");
    }

    @Test
    void shouldNotCountTheStartOfAProcessWhosePredecessorHasLeft() {
        Replacements replacements = replacements(1, 0);
        replacements.replace(FIRST, "rank 2 fell", 0);
        replacements.tick(0);
        done.clear();
        assertThat(replacements.canReplace(2)).isFalse();
        assertThat(replacements.canReplaceUncounted()).isTrue();
        assertThat(replacements.replace(SECOND, "rank 2'1 has left", false, 1)).isTrue();
        replacements.tick(1);
        assertThat(done)
                .containsExactly(
                        "announce 2'2",
                        "rank 2'1 has left; starting it again as 2'2, which does not count as a restart",
                        "start 2'2");
    }

    @Test
    void shouldStartNoProcessForOneThatHasLeftWhereNoneIsStartedAgain() {
        Replacements replacements = replacements(0, 0);
        assertThat(replacements.canReplaceUncounted()).isFalse();
        assertThat(replacements.replace(FIRST, "rank 2 has left", false, 0)).isFalse();
        assertThat(done).hasSize(1).first().asString().startsWith("refuse 2");
        Replacements stopped = replacements(1, 0);
        stopped.stop("the job is over");
        assertThat(stopped.canReplaceUncounted()).isFalse();
        assertThat(stopped.replace(FIRST, "rank 2 has left", false, 0)).isFalse();
    }

    @Test
    void shouldWaitBetweenTheStartsOfOneThatDiesAtOnce() {
        Replacements replacements = replacements(3, 0);
        replacements.replace(FIRST, "rank 2 fell", 0);
        replacements.tick(0);
        done.clear();
        replacements.replace(SECOND, "rank 2'1 fell", 100 * MS);
        assertThat(replacements.deadlineNs()).isEqualTo(500 * MS);
        replacements.tick(499 * MS);
        assertThat(done).containsExactly("announce 2'2", "rank 2'1 fell; starting it again as 2'2 in 0.4 s (2 of 3)");
        replacements.tick(500 * MS);
        assertThat(done).endsWith("start 2'2");
        assertThat(replacements.deadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldGiveThePlaceToASpareFirstAndCountNoRestart() {
        Replacements replacements = replacements(1, 1);
        replacements.spareStarted(1);
        replacements.spareReady(1);
        assertThat(replacements.replace(FIRST, "rank 2 fell", 0)).isTrue();
        assertThat(done)
                .containsExactly(
                        "announce 2'1", "rank 2 fell; a spare takes its place as 2'1", "assign spare 1 to 2'1");
        done.clear();
        replacements.replace(SECOND, "rank 2'1 fell", 0);
        assertThat(done).containsExactly("announce 2'2", "rank 2'1 fell; starting it again as 2'2 (1 of 1)");
    }

    @Test
    void shouldWaitForASpareThatIsStillStarting() {
        Replacements replacements = replacements(0, 2);
        replacements.spareStarted(1);
        replacements.spareStarted(2);
        replacements.replace(FIRST, "rank 2 fell", 0);
        assertThat(done).noneMatch(what -> what.startsWith("assign"));
        replacements.spareReady(2);
        assertThat(done).endsWith("assign spare 2 to 2'1");
        replacements.spareReady(1);
        assertThat(done).endsWith("assign spare 2 to 2'1");
    }

    @Test
    void shouldStartAProcessWhenTheSpareDiesBeforeItIsReady() {
        Replacements replacements = replacements(1, 1);
        replacements.spareStarted(1);
        replacements.replace(FIRST, "rank 2 fell", 0);
        replacements.spareEnded(1, 0);
        replacements.tick(0);
        assertThat(done).endsWith("the spare for rank 2'1 has ended; starting a process instead (1 of 1)", "start 2'1");
    }

    @Test
    void shouldNotCountTheStartForOneThatHasLeftThoughASpareDiesBeforeIt() {
        Replacements replacements = replacements(1, 1);
        replacements.spareStarted(1);
        replacements.replace(FIRST, "rank 2 has left", false, 0);
        replacements.spareEnded(1, 0);
        replacements.tick(0);
        assertThat(done)
                .endsWith(
                        "the spare for rank 2'1 has ended; starting a process instead, which does not count as a"
                                + " restart",
                        "start 2'1");
        assertThat(replacements.replace(SECOND, "rank 2'1 fell", 0)).isTrue();
        assertThat(done).endsWith("rank 2'1 fell; starting it again as 2'2 (1 of 1)");
        replacements.tick(0);
    }

    @Test
    void shouldRefuseWhenTheLastSpareDiesAndNothingIsStartedAgain() {
        Replacements replacements = replacements(0, 1);
        replacements.spareStarted(1);
        replacements.replace(FIRST, "rank 2 fell", 0);
        replacements.spareEnded(1, 0);
        assertThat(done).endsWith("refuse 2: no spare of 1 is left, and there is no --max-restarts");
        assertThat(replacements.canReplace(1)).isFalse();
    }

    @Test
    void shouldRefuseSilentlyWhereNothingWasEverToBeStartedAgain() {
        Replacements replacements = replacements(0, 0);
        assertThat(replacements.replace(FIRST, "rank 2 fell", 0)).isFalse();
        assertThat(done).containsExactly("refuse 2: mpiexec was started without --max-restarts and --spares");
    }

    @Test
    void shouldRefuseAtOnceWhomNothingEndsIfNoneCouldFollowAnyway() {
        Replacements replacements = replacements(1, 0);
        replacements.replaceOnProof(2);
        assertThat(done).as("there may be proof yet").isEmpty();
        replacements.replace(FIRST, "rank 2 fell", 0);
        replacements.tick(0);
        done.clear();
        replacements.replaceOnProof(2);
        assertThat(done)
                .endsWith("refuse 2: it has been started again once, as often as --max-restarts allows")
                .hasSize(2);
        assertThat(replacements.replace(SECOND, "rank 2'1 fell", 1)).isFalse();
        assertThat(done).hasSize(2);
    }

    @Test
    void shouldRefuseEachRankOnce() {
        Replacements replacements = replacements(0, 0);
        replacements.giveUp(2, "why");
        replacements.giveUp(2, "why");
        replacements.replace(FIRST, "rank 2 fell", 0);
        assertThat(done).containsExactly("refuse 2: why");
    }

    @Test
    void shouldRefuseWhoIsPromisedAPlaceWhenTheJobEnds() {
        Replacements replacements = replacements(1, 1);
        replacements.spareStarted(1);
        replacements.replace(FIRST, "rank 2 fell", 0);
        replacements.replace(ProcessId.of(1), "rank 1 fell", 0);
        done.clear();
        replacements.stop("--timeout is over");
        replacements.tick(MS);
        replacements.spareReady(1);
        assertThat(done).containsExactly("refuse 1: --timeout is over", "refuse 2: --timeout is over");
        assertThat(replacements.replace(ProcessId.of(0), "rank 0 fell", 0)).isFalse();
        assertThat(done).hasSize(2);
    }

    private Replacements replacements(int maxRestarts, int spares) {
        ReplacementTerms terms = new ReplacementTerms(
                3, maxRestarts, spares, "--max-restarts", "mpiexec was started without --max-restarts and --spares");
        return new Replacements(terms, new Replacements.Effects() {
            @Override
            public void announce(ProcessId next) {
                done.add("announce " + next);
            }

            @Override
            public void assign(int spare, ProcessId next) {
                done.add("assign spare " + spare + " to " + next);
            }

            @Override
            public void start(ProcessId next) {
                done.add("start " + next);
            }

            @Override
            public void refuse(int slot, String why) {
                done.add("refuse " + slot + ": " + why);
            }

            @Override
            public void say(String line) {
                done.add(line);
            }
        });
    }
}
