package org.ulfmj.rendezvous.marked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;

/** Tests rules S9 to S11 in many random stories, and by mutants that each of the listed rules is needed. */
class MarkedChangesTest {
    private static final Long SEEDS = Long.getLong("sim.seeds", 2_000);
    private static final String MARKED = "org.ulfmj.rendezvous.marked.MarkedChanges";

    @Test
    void shouldCarryOutEachChangeOnceAndTellItsClientWhatBecameOfIt() {
        assertThat(MarkedStory.run(1L, SEEDS)).isEmpty();
    }

    static List<Mutant> mutants() {
        return List.of(
                Mutant.of(
                        "a change compares the last marker",
                        MARKED,
                        "Txn txn = new Txn().ifValue(markerKey, marker);",
                        "Txn txn = new Txn();"),
                Mutant.of(
                                "the marker hangs on the lease",
                                MARKED,
                                "txn.thenPut(markerKey, next, granted)",
                                "txn.thenPut(markerKey, next, 0)")
                        .and("txn.thenPut(markerKey, next, lease)", "txn.thenPut(markerKey, next, 0)"),
                Mutant.of(
                        "a marker that is gone says nothing of a change under way",
                        MARKED,
                        "if (!mayHaveRun) {\n            return Step.AGAIN;",
                        "if (true) {\n            return Step.AGAIN;"),
                Mutant.of(
                        "the marker keeps the answer",
                        MARKED,
                        "new Marker(lastId, givenUp == null, sum)",
                        "new Marker(lastId, givenUp == null, 0)"),
                Mutant.of(
                        "the marker tells that a change was made whose answer was lost",
                        MARKED,
                        "if (written.id() == lastId && written.isMade()) {",
                        "if (false) {"),
                Mutant.of(
                        "a refusal counts if the marker was the one compared",
                        MARKED,
                        "return isKnown ? onRefused(",
                        "return true ? onRefused("),
                Mutant.of(
                        "a change that is refused does not come late",
                        MARKED,
                        "if (!mayHaveRun && !isFormerOpen) {\n",
                        "if (!isFormerOpen) {\n"),
                Mutant.of(
                        "a change without an answer does not come after the next one",
                        MARKED,
                        "if (!mayHaveRun && !isFormerOpen) {\n",
                        "if (!mayHaveRun) {\n"),
                Mutant.of(
                        "a marker of a renewal says nothing of a change",
                        MARKED,
                        "if (written.id() == lastId && written.isMade()) {",
                        "if (written.id() == lastId) {"));
    }

    @ParameterizedTest(name = "without: {0}")
    @MethodSource("mutants")
    void shouldGoWrongWithoutARule(Mutant mutant) {
        String wrong = (String) new MutantLoader(mutant).call(MarkedStory.class.getName(), "run", 1L, SEEDS);

        assertThat(wrong).as(mutant.rule()).isNotEmpty();
    }

    @Test
    void shouldRefuseAMarkerOfAnother() {
        assertThatThrownBy(() -> Marker.of(new byte[3])).isInstanceOf(WireFormatException.class);
        assertThat(Marker.of(new Marker(7, true, -3).toBytes())).isEqualTo(new Marker(7, true, -3));
    }
}
