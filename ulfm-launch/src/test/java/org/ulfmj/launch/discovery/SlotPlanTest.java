package org.ulfmj.launch.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.ulfmj.launch.discovery.SlotPlan.Running;
import org.ulfmj.launch.discovery.SlotPlan.Steps;

class SlotPlanTest {
    private static final String HERE = "localhost";

    private final SlotPlan plan = new SlotPlan(4);
    private final List<Running> running = new ArrayList<>();

    @Test
    void shouldStartAProcessForEachSlotUpToTheMostMembers() {
        assertThat(steps(2)).isEqualTo(starts(2));
        run(0, 1);
        assertThat(steps(2)).isEqualTo(starts(0));
        assertThat(steps(9)).isEqualTo(starts(2));
        assertThat(plan.wanted(Set.of(HERE))).isEqualTo(4);
    }

    @Test
    void shouldEndTheYoungestProcessesWhereSlotsHaveGone() {
        run(0, 1, 3, 7);
        assertThat(steps(2)).isEqualTo(ends(7, 3));
    }

    @Test
    void shouldEndAProcessOnceAndKeepItsSlotUntilItHasEnded() {
        run(0, 1, 2);
        running.add(new Running(3, HERE, true));
        assertThat(steps(3)).as("its slot has gone").isEqualTo(starts(0));
        assertThat(steps(4)).as("it is still there").isEqualTo(starts(0));
        running.remove(3);
        assertThat(steps(4)).isEqualTo(starts(1));
    }

    @Test
    void shouldNotStartAnotherProcessInASlotThatIsSpent() {
        run(0, 1, 2, 3);
        steps(4);
        hasEnded(1);
        assertThat(steps(4)).isEqualTo(starts(0));
        hasEnded(0);
        assertThat(steps(4)).isEqualTo(starts(0));
    }

    @Test
    void shouldLoseSpentSlotsFirstAndUseThoseThatComeAgain() {
        run(0, 1, 2, 3);
        steps(4);
        hasEnded(1);
        assertThat(steps(3)).as("the slot of the dead one has gone").isEqualTo(starts(0));
        assertThat(steps(4)).as("it is a new slot").isEqualTo(starts(1));
    }

    @Test
    void shouldEndAsManyAsHaveNoSlotBesideTheSpentOnes() {
        run(0, 1, 2, 3);
        steps(4);
        hasEnded(0);
        assertThat(steps(2)).isEqualTo(ends(3));
        assertThat(steps(1)).isEqualTo(ends(3, 2));
    }

    @Test
    void shouldGiveEachHostItsOwn() {
        Map<String, Integer> hosts = new LinkedHashMap<>();
        hosts.put("b", 1);
        hosts.put("a", 2);
        plan.found(hosts);
        running.add(new Running(0, "a", false));
        running.add(new Running(1, "gone", false));
        Steps steps = plan.decide(running, Set.of("a", "b"));
        assertThat(steps.starts()).as("the first host first").containsExactly(Map.entry("b", 1), Map.entry("a", 1));
        assertThat(steps.ends()).containsExactly(1);
    }

    /**
     * The slots of a host without an agent are not reserved: other hosts get the processes. They are used once the host
     * has an agent and the world has room.
     */
    @Test
    void shouldStartProcessesOnUsableHostsAlone() {
        Map<String, Integer> hosts = new LinkedHashMap<>();
        hosts.put("a", 3);
        hosts.put("b", 2);
        plan.found(hosts);
        assertThat(plan.wanted(Set.of("b"))).isEqualTo(2);
        assertThat(plan.wanted(Set.of("a", "b", "gone"))).as("at most").isEqualTo(4);
        assertThat(plan.slots(Set.of("b", "gone"))).isEqualTo(2);
        assertThat(plan.slots()).isEqualTo(5);
        assertThat(plan.decide(running, Set.of("b")).starts()).isEqualTo(Map.of("b", 2));
        running.add(new Running(0, "b", false));
        running.add(new Running(1, "b", false));
        assertThat(plan.decide(running, Set.of("a", "b"))).isEqualTo(new Steps(Map.of("a", 2), List.of()));
        assertThat(plan.isAlone("a")).isFalse();
        plan.found(Map.of("a", 3));
        assertThat(plan.decide(running, Set.of()).ends())
                .as("its agent is not heard")
                .containsExactly(1, 0);
        assertThat(plan.isAlone("a")).isTrue();
    }

    /** The host had lost its slots before its process ended, so that end has spent no slot. */
    @Test
    void shouldGiveAHostThatComesBackAllItsSlots() {
        running.add(new Running(0, "a", false));
        plan.found(Map.of("b", 1));
        running.clear();
        plan.spent("a");
        plan.found(Map.of("a", 1));
        assertThat(plan.decide(running, Set.of("a")).starts()).isEqualTo(Map.of("a", 1));
    }

    @Test
    void shouldCountProcessesThatEndAmongTheMost() {
        running.add(new Running(0, "gone", true));
        running.add(new Running(1, "gone", true));
        run(2);
        assertThat(steps(9)).isEqualTo(starts(1));
    }

    /**
     * In random sequences of events, the processes that were not told to end are never more than there are slots, nor
     * more than the most members; and a host whose slots have gone and come again has new slots.
     */
    @Test
    void shouldComeToRestWithinTheSlotsInAnyOrderOfEvents() {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            SlotPlan one = new SlotPlan(1 + random.nextInt(6));
            List<Running> all = new ArrayList<>();
            int next = 0;
            int slots = 0;
            for (int step = 0; step < 40; step++) {
                slots = random.nextInt(8);
                one.found(Map.of(HERE, slots));
                if (!all.isEmpty() && random.nextInt(3) == 0) {
                    Running gone = all.remove(random.nextInt(all.size()));
                    if (!gone.isEnding()) {
                        one.spent(HERE);
                    }
                }
                Steps steps = one.decide(all, Set.of(HERE));
                all.replaceAll(
                        each -> steps.ends().contains(each.number()) ? new Running(each.number(), HERE, true) : each);
                for (int i = 0; i < steps.starts().getOrDefault(HERE, 0); i++) {
                    all.add(new Running(next++, HERE, false));
                }
                long staying = all.stream().filter(each -> !each.isEnding()).count();
                assertThat(staying).as("seed %d, step %d", seed, step).isLessThanOrEqualTo(Math.min(slots, one.most()));
            }
            all.removeIf(Running::isEnding);
            one.found(Map.of(HERE, 0));
            one.found(Map.of(HERE, slots));
            int started = one.decide(List.of(), Set.of(HERE)).starts().getOrDefault(HERE, 0);
            assertThat(started).as("seed %d: all slots are new", seed).isEqualTo(Math.min(slots, one.most()));
        }
    }

    private Steps steps(int slots) {
        plan.found(Map.of(HERE, slots));
        return plan.decide(running, Set.of(HERE));
    }

    private void run(int... numbers) {
        for (int number : numbers) {
            running.add(new Running(number, HERE, false));
        }
    }

    private void hasEnded(int number) {
        assertThat(running.removeIf(each -> each.number() == number)).isTrue();
        plan.spent(HERE);
    }

    private static Steps starts(int count) {
        return new Steps(count == 0 ? Map.of() : Map.of(HERE, count), List.of());
    }

    private static Steps ends(Integer... numbers) {
        return new Steps(Map.of(), List.of(numbers));
    }
}
