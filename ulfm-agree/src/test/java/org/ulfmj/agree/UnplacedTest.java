package org.ulfmj.agree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.agree.message.Joiner;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;

/** A process without a slot has a core under each name, until it is welcomed under one (G10). */
class UnplacedTest {
    private static final long NONCE = 77;
    private static final ProcessId THIRD = ProcessId.of(3);
    private static final ProcessId FOURTH = ProcessId.of(4);

    private final List<ProcessId> made = new ArrayList<>();
    private final Unplaced process = new Unplaced(NONCE, name -> {
        made.add(name);
        return SurvivorCore.newcomer(
                name, NONCE, Timing.fromTimeout(1_000_000_000L), false, new NotedEffects(name) {}, 0);
    });

    private SurvivorCore greet(ProcessId name, long nonce) {
        return process.greeted(name, nonce, 0, (to, message) -> {});
    }

    @Test
    void shouldAnswerUnderEachNameUntilItIsPlaced() {
        SurvivorCore third = greet(THIRD, NONCE);
        SurvivorCore fourth = greet(FOURTH, NONCE);
        assertThat(third).isNotNull().isNotSameAs(fourth);
        assertThat(greet(THIRD, NONCE)).isSameAs(third);
        assertThat(made).containsExactly(THIRD, FOURTH);
        assertThat(process.placed()).isNull();
        process.isPlaced(FOURTH);
        assertThat(process.placed()).isEqualTo(FOURTH);
        assertThat(process.cores()).containsExactly(fourth);
        assertThat(greet(FOURTH, NONCE)).isSameAs(fourth);
        assertThat(greet(THIRD, NONCE)).as("the process has another slot").isNull();
        assertThat(made).hasSize(2);
    }

    @Test
    void shouldRefuseTheNonceOfAnotherProcess() {
        assertThat(greet(THIRD, NONCE + 1)).isNull();
        assertThat(made).isEmpty();
    }

    @Test
    void shouldEndWithTheLastOfItsNames() {
        greet(THIRD, NONCE);
        greet(FOURTH, NONCE);
        assertThat(process.hasEnded(THIRD)).isFalse();
        assertThat(process.names()).containsExactly(FOURTH);
        assertThat(process.hasEnded(FOURTH)).isTrue();
        assertThat(greet(THIRD, NONCE))
                .as("a name that has ended is not made anew")
                .isNull();
    }

    @Test
    void shouldTellEachCoreTheNewsThatCameBeforeItsName() {
        process.waiting(joiner(1));
        process.waiting(joiner(2));
        process.onEnd(2, new Evidence(Evidence.Kind.CERTAIN, THIRD, "ended"), 0, name -> (to, message) -> {});
        SurvivorCore third = greet(THIRD, NONCE);
        assertThat(third.waiting()).isEqualTo(1);
        process.waiting(joiner(3));
        assertThat(third.waiting()).isEqualTo(2);
        assertThat(greet(FOURTH, NONCE).waiting()).isEqualTo(2);
    }

    private static Joiner joiner(long nonce) {
        return new Joiner(0, 0, nonce, new byte[0]);
    }

    @Test
    void shouldBePlacedOnceAndUnderANameThatItHas() {
        assertThatThrownBy(() -> process.isPlaced(THIRD)).hasMessageContaining("3");
        greet(THIRD, NONCE);
        process.isPlaced(THIRD);
        assertThatThrownBy(() -> process.isPlaced(THIRD)).isInstanceOf(IllegalStateException.class);
    }
}
