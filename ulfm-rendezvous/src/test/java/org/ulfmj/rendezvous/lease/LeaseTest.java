package org.ulfmj.rendezvous.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;

class LeaseTest {
    private static final long LEASE_NS = 1_000;
    private static final ProcessId PROCESS = ProcessId.of(3);

    private final HeldLease held = new HeldLease(new LeaseTimes(LEASE_NS, 200, 400));
    private final GrantedLeases granted = new GrantedLeases(LEASE_NS);

    @Test
    void shouldCountFromTheSendingOfTheLastKeepAliveThatWasAnswered() {
        assertThat(held.isOver(50)).as("nothing was sent").isFalse();
        int first = held.send(100);
        int second = held.send(300);
        held.send(500);
        held.answered(first);
        held.answered(second);
        assertThat(held.isOver(1_299)).isFalse();
        assertThat(held.isOver(1_300)).isTrue();
    }

    @Test
    void shouldNotCountAnAnswerToAnEarlierKeepAliveThanTheLastAnswered() {
        int first = held.send(100);
        int second = held.send(300);
        held.answered(second);
        held.answered(first);
        held.answered(7);
        assertThat(held.isOver(1_299)).isFalse();
        assertThat(held.isOver(1_300)).isTrue();
    }

    @Test
    void shouldStayOver() {
        int first = held.send(0);
        assertThat(held.isOver(LEASE_NS)).isTrue();
        held.answered(first);
        held.answered(held.send(LEASE_NS));
        assertThat(held.isOver(LEASE_NS + 1)).isTrue();
    }

    /**
     * Rule V15 of docs/inside/rendezvous.md: a process that has not acted yet may begin even after its lease has ended,
     * once the launcher answers a keep-alive sent after that.
     */
    @Test
    void shouldBeginAnewAndNotCountAnAnswerToWhatWasSentBefore() {
        int first = held.send(0);
        held.answered(first);
        int second = held.send(200);
        assertThat(held.isOver(LEASE_NS)).isTrue();
        held.beginAnew();
        assertThat(held.isOver(1_500)).as("nothing is sent yet").isFalse();
        int third = held.send(1_500);
        held.answered(second);
        assertThat(held.isAnswered()).isFalse();
        assertThat(held.isOver(2_499)).isFalse();
        held.answered(third);
        assertThat(held.isAnswered()).isTrue();
        assertThat(held.isOver(2_500)).isTrue();
    }

    /**
     * On a slow network, the answer to a keep-alive comes only after all that the launcher sent before, such as a table
     * of addresses.
     */
    @Test
    void shouldNotMissAnAnswerWhileAnythingElseComes() {
        held.send(100);
        assertThat(held.isUnanswered(499)).isFalse();
        assertThat(held.isUnanswered(500)).isTrue();
        held.brought(450);
        assertThat(held.answerDueNs()).isEqualTo(850);
        assertThat(held.isUnanswered(849)).isFalse();
        assertThat(held.isUnanswered(850)).isTrue();
        held.answered(held.send(900));
        held.send(1_000);
        assertThat(held.answerDueNs()).as("what came before it was sent").isEqualTo(1_400);
        assertThat(held.isOver(1_899)).as("that is no answer").isFalse();
        assertThat(held.isOver(1_900)).isTrue();
    }

    @Test
    void shouldSayWhenTheNextKeepAliveIsDue() {
        assertThat(held.nextDueNs()).isEqualTo(Long.MAX_VALUE);
        held.send(100);
        assertThat(held.nextDueNs()).isEqualTo(300);
        assertThat(held.isKeepAliveDue(299)).isFalse();
        assertThat(held.isKeepAliveDue(300)).isTrue();
        held.answered(held.send(900));
        held.send(1_000);
        assertThat(held.nextDueNs()).isEqualTo(1_200);
        assertThat(held.answerDueNs()).isEqualTo(1_400);
        held.send(1_790);
        assertThat(held.answerDueNs()).isEqualTo(1_400);
        held.disconnect();
        assertThat(held.answerDueNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(held.nextDueNs()).as("the end of the lease comes first").isEqualTo(1_900);
        assertThat(held.endNs()).isEqualTo(1_900);
    }

    @Test
    void shouldFindThatAnAnswerTakesTooLong() {
        held.answered(held.send(0));
        assertThat(held.isUnanswered(900)).as("nothing is open").isFalse();
        held.send(200);
        held.send(400);
        assertThat(held.isUnanswered(599)).isFalse();
        assertThat(held.isUnanswered(600)).isTrue();
        held.disconnect();
        assertThat(held.isUnanswered(9_999)).as("on the next connection").isFalse();
    }

    @Test
    void shouldNotSendMoreKeepAlivesThanItRemembers() {
        HeldLease frequent = new HeldLease(new LeaseTimes(LEASE_NS, 1, 250));
        int first = frequent.send(0);
        for (int nowNs = 1; nowNs < 16; nowNs++) {
            assertThat(frequent.isKeepAliveDue(nowNs)).isTrue();
            frequent.send(nowNs);
        }
        assertThat(frequent.isKeepAliveDue(100)).isFalse();
        assertThat(frequent.nextDueNs()).isEqualTo(LEASE_NS);
        frequent.answered(first);
        assertThat(frequent.isKeepAliveDue(100)).isTrue();
    }

    @Test
    void shouldEndAtItsHolderBeforeItEndsAtTheCoordinator() {
        int number = held.send(100);
        granted.renew(PROCESS, 101);
        held.answered(number);
        assertThat(held.isOver(1_100)).isTrue();
        assertThat(granted.isOver(PROCESS, 1_300)).isFalse();
        assertThat(granted.isOver(PROCESS, 1_301)).isTrue();
    }

    @Test
    void shouldCountFromTheLossOfAProcessThatNeverSentAKeepAlive() {
        assertThat(granted.isOver(PROCESS, 9_999)).isFalse();
        granted.begin(PROCESS, 500);
        granted.begin(PROCESS, 900);
        assertThat(granted.isOver(PROCESS, 1_699)).isFalse();
        assertThat(granted.isOver(PROCESS, 1_700)).isTrue();
        granted.forget(PROCESS);
        assertThat(granted.isOver(PROCESS, 9_999)).isFalse();
    }

    @Test
    void shouldRefuseTimesThatCannotBe() {
        assertThatThrownBy(() -> new LeaseTimes(200, 200, 1))
                .hasMessage("a lease of 200 ns (ulfm.rdzv.lease) must be longer than its keep-alive of 200 ns"
                        + " (ulfm.rdzv.keepalive)");
        assertThatThrownBy(() -> new LeaseTimes(200, 100, 0)).hasMessage("an answer within 0 ns");
        assertThatThrownBy(() -> new GrantedLeases(0)).hasMessage("a lease of 0 ns");
    }
}
