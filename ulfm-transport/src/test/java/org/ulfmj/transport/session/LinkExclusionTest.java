package org.ulfmj.transport.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;

/**
 * A peer that this rank has marked failed, a rank that its peer has marked failed, and a process that is not the
 * expected one.
 */
class LinkExclusionTest extends LinkEnds {
    @Test
    void shouldTellTheMarkedAndReadOnToItsEnd() { // L14
        connectLow();
        low.mark(0);

        assertThat(lowActions.take()).containsExactly("discarded", "you failed 1", "half-close 1");
        assertThat(low.onData(1, 1, 0, false, 10, 0)).isFalse();
        assertThat(low.canWrite()).isFalse();
        low.onEnd(1, 0);
        assertThat(lowActions.take()).containsExactly("close 1");
    }

    @Test
    void shouldCloseItsDialToTheMarkedAndRefuseItsHello() { // L14
        low.onOffered(0);
        low.mark(0);
        assertThat(lowActions.take()).containsExactly("dial 1", "discarded", "close 1");
        low.onHello(THEIRS, fromHigh(0), 0);

        assertThat(lowActions.take()).containsExactly("refuse 77 YouFailed[]", "half-close 77");
    }

    @Test
    void shouldFenceItselfWhenItHearsYouFailedAndWriteNoMore() { // L14
        connectLow();
        low.onYouFailed(1, 0);

        assertThat(lowActions.take()).containsExactly("excluded", "discarded", "close 1");
        assertThat(low.isClosedToFrames()).isTrue();
    }

    @Test
    void shouldFenceItselfWhenARefusalSaysYouFailed() { // L14
        low.onOffered(0);
        low.onChallenge(1, 0);
        lowActions.take();
        low.onRefusal(1, new LinkRefusal.YouFailed(), 0);

        assertThat(lowActions.take()).containsExactly("close 1", "excluded", "discarded");
        low.onTick(60_000 * MS);
        assertThat(lowActions.take()).isEmpty();
    }

    @Test
    void shouldRefuseADialerThatWantsAnotherProcess() { // L15
        low.onHello(THEIRS, new LinkHello(HIGH, new LinkIdentity(ProcessId.of(0), 999), 0, 0), 0);

        assertThat(lowActions.take()).containsExactly("refuse 77 NotMe[me=0#64]", "half-close 77");
        assertThat(low.adopted()).isNull();
    }

    @Test
    void shouldTakeAHigherIncarnationForProofThatTheLowerEnded() { // L15
        LinkIdentity newcomer = new LinkIdentity(new ProcessId(1, 1), 7);
        low.onHello(THEIRS, new LinkHello(newcomer, LOW, 0, 0), 0);
        assertThat(lowActions.take()).containsExactly("superseded by 1'1#7", "close 77");

        low.onOffered(0);
        low.onChallenge(1, 0);
        lowActions.take();
        low.onRefusal(1, new LinkRefusal.NotMe(newcomer), 0);
        assertThat(lowActions.take()).containsExactly("close 1", "superseded by 1'1#7");
    }

    @Test
    void shouldTellARenamedProcessFromAnotherOneAtItsAddress() { // G10
        low.onOffered(0);
        low.onChallenge(1, 0);
        lowActions.take();
        low.onRefusal(1, new LinkRefusal.NotMe(new LinkIdentity(ProcessId.of(3), HIGH.nonce())), 0);
        assertThat(lowActions.take()).contains("renamed 3#" + Long.toHexString(HIGH.nonce()));

        low.onChallenge(2, TIMING.linkBudgetNs());
        lowActions.take();
        low.onRefusal(2, new LinkRefusal.NotMe(new LinkIdentity(ProcessId.of(3), 555)), TIMING.linkBudgetNs());
        assertThat(lowActions.take()).doesNotContain("renamed 3#22b");
    }

    @Test
    void shouldTellALowerIncarnationThatItFailed() { // L15
        LinkSession<Integer> later =
                new LinkSession<>(LOW, new LinkIdentity(new ProcessId(1, 1), 7), TIMING, lowActions);
        later.onHello(THEIRS, fromHigh(0), 0);

        assertThat(lowActions.take()).containsExactly("refuse 77 YouFailed[]", "half-close 77");
    }

    @Test
    void shouldRefuseAnotherProcessOfTheSameName() { // L15
        low.onHello(THEIRS, new LinkHello(new LinkIdentity(ProcessId.of(1), 555), LOW, 0, 0), 0);

        assertThat(lowActions.take()).containsExactly("misnamed 1#22b", "refuse 77 NotMe[me=0#64]", "half-close 77");
    }
}
