package org.ulfmj.rabit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;

/** The plans that follow from a summary of two ranks, of which one or both have died and were replaced. */
class PlannerTest {
    private static final PlanTrouble DEATH = new PlanTrouble(PlanTrouble.Kind.FAILURE, Position.START, "", "", "");

    private final SortedMap<Integer, SummaryRecord> records = new TreeMap<>();

    private void fresh(boolean untouched, boolean usesLocals, Integer... spilled) {
        add(true, untouched, usesLocals, Position.START, 0, spilled);
    }

    private void member(Position reached, int checkpoint, Integer... spilled) {
        add(false, false, false, reached, checkpoint, spilled);
    }

    private void add(
            boolean fresh, boolean untouched, boolean locals, Position reached, int checkpoint, Integer... spilled) {
        int slot = records.size();
        Holdings holdings = new Holdings(0, 0, Runs.NONE, checkpoint, 0, 0, List.of(), List.of(spilled));
        SummaryRecord record = new SummaryRecord(
                new ProcessId(slot, fresh ? 1 : 0), fresh, untouched, reached, 0, 0, 0, locals, slot, holdings, DEATH);
        records.put(slot, SummaryRecord.fromBytes(record.toBytes()));
    }

    private RecoveryPlan plan() {
        return Planner.plan(records, SlotRuns.range(records.size()), 1);
    }

    @Test
    void shouldTakeTheVersionThatAllHaveOnDiskWhereThereAreLocalModels() {
        fresh(false, true, 2, 3);
        fresh(false, true, 1, 2);

        assertThat(plan().outcome()).isEqualTo(RecoveryPlan.Outcome.FROM_SPILL);
        assertThat(plan().start()).isEqualTo(Position.ofVersion(2));
        assertThat(plan().transfers()).isEmpty();
    }

    @Test
    void shouldTakeTheLastVersionThatAnybodyHasOnDiskWhereThereAreNone() {
        fresh(false, false, 2, 3);
        fresh(false, false, 1, 2);

        assertThat(plan().start()).isEqualTo(Position.ofVersion(3));
    }

    @Test
    void shouldBeginAgainWhereAllHaveDiedBeforeTheFirstCommit() {
        fresh(true, false);
        fresh(true, false);

        assertThat(plan().outcome()).isEqualTo(RecoveryPlan.Outcome.RESTART);
        assertThat(plan().start()).isEqualTo(Position.START);
    }

    @Test
    void shouldNotBeginAgainWhereSomethingMayHaveBeenCommitted() {
        fresh(true, false);
        fresh(false, false);

        assertThat(plan().outcome()).isEqualTo(RecoveryPlan.Outcome.TOO_MANY_FAILURES);
        assertThat(plan().text()).startsWith("all ranks have died");
    }

    @Test
    void shouldIgnoreAVersionOnDiskAboveTheOneThatIsCommitted() {
        member(Position.ofVersion(2), 2);
        fresh(false, false, 9);

        assertThat(plan().outcome()).isEqualTo(RecoveryPlan.Outcome.CONTINUE);
        records.clear();
        member(new Position(Position.VERSIONS, 2, 0), 2, 9);
        fresh(false, true, 9);
        assertThat(plan().outcome()).isEqualTo(RecoveryPlan.Outcome.TOO_MANY_FAILURES);
    }

    @Test
    void shouldGoBackToTheDiskAgainWhenTheReturnToItWasInterrupted() {
        member(Position.START, 0, 2);
        fresh(false, false);

        assertThat(plan().outcome()).isEqualTo(RecoveryPlan.Outcome.FROM_SPILL);
        assertThat(plan().start()).isEqualTo(Position.ofVersion(2));
    }
}
