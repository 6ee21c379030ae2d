package org.ulfmj.rendezvous.elect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeldStepsTest {
    private final List<String> said = new ArrayList<>();
    private final List<Integer> storing = new ArrayList<>();
    private byte state = 1;
    private final HeldSteps held =
            new HeldSteps(image -> storing.add((int) image[0]), new byte[] {1}, () -> new byte[] {state});

    private void step(int newState, String word) {
        state = (byte) newState;
        held.hold(() -> said.add(word));
        held.settle();
    }

    @Test
    void shouldHoldWhatFollowsFromAChangeUntilItIsStored() {
        step(2, "a");
        assertThat(said).isEmpty();
        assertThat(storing).containsExactly(2);
        assertThat(held.lastStored()).containsExactly(1);
        held.stored();
        assertThat(said).containsExactly("a");
        assertThat(held.lastStored()).containsExactly(2);
    }

    @Test
    void shouldLetOutAtOnceWhatFollowsFromNoChange() {
        step(1, "a");
        assertThat(said).containsExactly("a");
        assertThat(storing).isEmpty();
    }

    @Test
    void shouldKeepTheOrderAndStoreLaterStepsTogether() {
        step(2, "a");
        step(2, "b");
        step(3, "c");
        step(4, "d");
        assertThat(storing).containsExactly(2);
        held.stored();
        assertThat(said).containsExactly("a");
        assertThat(storing).as("b waits for what is queued with it").containsExactly(2, 4);
        held.stored();
        assertThat(said).containsExactly("a", "b", "c", "d");
        assertThat(storing).containsExactly(2, 4);
    }

    @Test
    void shouldStoreTheFirstState() {
        HeldSteps first = new HeldSteps(image -> storing.add((int) image[0]), null, () -> new byte[] {7});
        first.settle();
        assertThat(storing).containsExactly(7);
        assertThat(first.lastStored()).isNull();
    }

    @Test
    void shouldSayNothingOnceTheOfficeIsLost() {
        step(2, "a");
        step(2, "b");
        held.over();
        held.stored();
        step(3, "c");
        assertThat(said).isEmpty();
        assertThat(storing).containsExactly(2);
        assertThat(held.lastStored()).containsExactly(1);
    }
}
