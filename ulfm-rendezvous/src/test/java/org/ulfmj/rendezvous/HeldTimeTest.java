package org.ulfmj.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.rendezvous.message.RendezvousMessage;

/**
 * Tests that the time limits to join and to confirm do not run while the coordinator's messages do not leave, and that
 * members that cannot find a new coordinator are neither late nor judged.
 */
class HeldTimeTest {
    private static final long MS = 1_000_000;
    private static final long CONFIRM_NS = 500 * MS;
    private static final long FIND_NS = 3_000 * MS;
    private static final RunSpec RUN = new RunSpec("job", 2, 5, 2_000 * MS, CONFIRM_NS);
    private static final Outbox<Long, RendezvousMessage> NOWHERE = (nonce, message) -> {};

    private final List<String> heard = new ArrayList<>();
    private RendezvousCore core = new RendezvousCore(RUN, new RecordedListener(heard));
    private long nowNs;

    private void join(int slot) {
        core.onMessage(10L + slot, new RendezvousMessage.Join(Members.member(slot, 10 + slot), 0, 0), nowNs, NOWHERE);
    }

    private void confirm(int slot) {
        core.onMessage(10L + slot, new RendezvousMessage.Confirm(1), nowNs, NOWHERE);
    }

    private RendezvousCore.Phase pass(long ns) {
        nowNs += ns;
        core.onTick(nowNs, NOWHERE);
        return core.phase();
    }

    private void goOnElsewhere() {
        core = RendezvousCore.restored(core.image(), new RecordedListener(heard), 0, true, FIND_NS, nowNs);
        core.onHidden();
    }

    @Test
    void shouldGiveTheWholeTimeToConfirmOnceTheTableLeaves() {
        join(0);
        join(1);
        core.onMuted();
        assertThat(core.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(pass(10 * CONFIRM_NS)).isEqualTo(RendezvousCore.Phase.FROZEN);
        core.onUnmuted(nowNs, NOWHERE);
        assertThat(pass(CONFIRM_NS - 1)).isEqualTo(RendezvousCore.Phase.FROZEN);
        assertThat(pass(1)).isEqualTo(RendezvousCore.Phase.CLOSED);
    }

    @Test
    void shouldGiveTheWholeTimeToJoinOnceJoinsAreHeard() {
        join(0);
        core.onMuted();
        assertThat(pass(60_000 * MS)).isEqualTo(RendezvousCore.Phase.JOINABLE);
        core.onUnmuted(nowNs, NOWHERE);
        assertThat(pass(2_000 * MS - 1)).isEqualTo(RendezvousCore.Phase.JOINABLE);
        assertThat(pass(1)).isEqualTo(RendezvousCore.Phase.CLOSED);
    }

    @Test
    void shouldGiveMembersTimeToFindANewCoordinatorAsLongAsTheyCan() {
        join(0);
        join(1);
        confirm(0);
        goOnElsewhere();
        assertThat(pass(60_000 * MS)).as("its address is not told").isEqualTo(RendezvousCore.Phase.FROZEN);
        core.onShown(nowNs, NOWHERE);
        assertThat(pass(FIND_NS + CONFIRM_NS - 1)).isEqualTo(RendezvousCore.Phase.FROZEN);
        core.onHidden();
        assertThat(pass(60_000 * MS)).as("etcd is away").isEqualTo(RendezvousCore.Phase.FROZEN);
        core.onShown(nowNs, NOWHERE);
        join(1);
        core.onHidden();
        assertThat(pass(CONFIRM_NS - 1)).as("it was found").isEqualTo(RendezvousCore.Phase.FROZEN);
        assertThat(pass(1)).isEqualTo(RendezvousCore.Phase.CLOSED);
    }

    /**
     * Etcd answers the members again, so they come, while the coordinator does not know yet that etcd answers again.
     */
    @Test
    void shouldGiveTheWholeTimeToConfirmToMembersThatComeBeforeTheyAreExpected() {
        join(0);
        join(1);
        confirm(0);
        goOnElsewhere();
        pass(60_000 * MS);
        join(1);
        core.onShown(nowNs, NOWHERE);
        assertThat(pass(CONFIRM_NS - 1)).isEqualTo(RendezvousCore.Phase.FROZEN);
        assertThat(pass(1)).isEqualTo(RendezvousCore.Phase.CLOSED);
    }

    @Test
    void shouldGiveThatTimeAlsoWhereTheTableIsOfTheNewCoordinator() {
        join(0);
        goOnElsewhere();
        core.onShown(nowNs, NOWHERE);
        join(1);
        assertThat(pass(FIND_NS + CONFIRM_NS - 1)).isEqualTo(RendezvousCore.Phase.FROZEN);
        join(0);
        assertThat(pass(CONFIRM_NS - 1)).isEqualTo(RendezvousCore.Phase.FROZEN);
        assertThat(pass(1)).isEqualTo(RendezvousCore.Phase.CLOSED);
    }

    @Test
    void shouldFormTheWorldUnderANewCoordinator() {
        join(0);
        join(1);
        confirm(0);
        goOnElsewhere();
        core.onShown(nowNs, NOWHERE);
        pass(FIND_NS);
        join(1);
        confirm(1);
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.FINAL);
        assertThat(heard).contains("final");
    }

    /** Rank 0 has confirmed to the coordinator before this one, so this one waits for rank 1's confirmation only. */
    @Test
    void shouldJudgeNoMemberThatHasToFindItsCoordinator() {
        core = new RendezvousCore(RUN.withSilence(100 * MS), new RecordedListener(heard));
        join(0);
        join(1);
        confirm(0);
        goOnElsewhere();
        core.onShown(nowNs, NOWHERE);
        join(1);
        confirm(1);
        while (nowNs < FIND_NS) {
            pass(5 * MS);
            core.onMessage(11L, new RendezvousMessage.KeepAlive(1), nowNs, NOWHERE);
        }
        assertThat(heard).noneMatch(word -> word.startsWith("silent 0"));
        while (nowNs < FIND_NS + 200 * MS) {
            pass(5 * MS);
        }
        assertThat(heard).anyMatch(word -> word.startsWith("silent 0"));
    }
}
