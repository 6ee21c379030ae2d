package org.ulfmj.agree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Joiner;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;

/** A process without a slot has a core under each name, until it is welcomed under one (G10). */
class UnplacedTest {
    private static final long NONCE = 77;
    private static final ProcessId THIRD = ProcessId.of(3);
    private static final ProcessId FOURTH = ProcessId.of(4);

    private static final Function<ProcessId, Outbox<ProcessId, ControlMessage>> NOWHERE = name -> (to, message) -> {};

    private final List<ProcessId> made = new ArrayList<>();
    private final Unplaced process = new Unplaced(NONCE, name -> {
        made.add(name);
        return SurvivorCore.newcomer(name, NONCE, Timing.fromTimeout(1_000_000_000L), false, new Introducing(name), 0);
    });

    private static final class Introducing extends NotedEffects {
        Introducing(ProcessId id) {
            super(id);
        }

        @Override
        public void introduce(Contact contact) {}
    }

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
        assertThat(third.waiting(8)).isEqualTo(1);
        process.waiting(joiner(3));
        assertThat(third.waiting(8)).isEqualTo(2);
        assertThat(greet(FOURTH, NONCE).waiting(8)).isEqualTo(2);
    }

    @Test
    void shouldTellALaterCoreWhoHasEndedThatWaitedForASlot() {
        ProcessId replacement = new ProcessId(1, 1);
        Evidence ended = new Evidence(Evidence.Kind.SUSPECTED, THIRD, "ended");
        process.pending(new Contact(replacement, 5, new byte[0]), 0, NOWHERE);
        process.onEnd(5, ended, 0, NOWHERE);
        assertThat(greet(THIRD, NONCE).failures().hasFailed(replacement)).isTrue();
    }

    @Test
    void shouldForgetAJoinerThatDoesNotWaitAnyMore() {
        process.waiting(joiner(1));
        process.waiting(joiner(2));
        SurvivorCore third = greet(THIRD, NONCE);
        process.noLongerWaiting(1);
        assertThat(third.waiting(8)).isEqualTo(1);
        assertThat(greet(FOURTH, NONCE).waiting(8)).isEqualTo(1);
    }

    @Test
    void shouldNotTakeNamesWithoutEnd() {
        for (int slot = 0; slot < Unplaced.MAX_NAMES; slot++) {
            assertThat(greet(ProcessId.of(slot), NONCE)).isNotNull();
        }
        process.hasEnded(THIRD);
        assertThat(greet(ProcessId.of(Unplaced.MAX_NAMES), NONCE)).isNull();
        assertThat(greet(FOURTH, NONCE)).isNotNull();
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
