package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.MemberRecord;

class RestartsTest {
    private static final ProcessId FIRST = ProcessId.of(1);
    private static final ProcessId SECOND = new ProcessId(1, 1);
    private static final ProcessId THIRD = new ProcessId(1, 2);

    private static MemberRecord record(ProcessId process) {
        return Restarts.record(process, process.incarnation());
    }

    private static List<MemberRecord> world(ProcessId... members) {
        return List.of(members).stream().map(RestartsTest::record).toList();
    }

    @Test
    void shouldGiveASlotToOneProcessAfterAnotherUntilRestartsAreUsedUp() {
        Restarts restarts = new Restarts(3, 2);
        assertThat(restarts.successor(FIRST)).isEqualTo(SECOND);
        restarts.joined(record(SECOND));
        assertThat(restarts.successor(SECOND)).isEqualTo(THIRD);
        assertThat(restarts.pending()).isEmpty();
        assertThat(restarts.successor(THIRD)).isNull();
        assertThat(restarts.noMore())
                .containsOnlyKeys(1)
                .containsValue("it has been started again 2 times, as often as was asked for");
        assertThat(restarts.successor(ProcessId.of(0))).isEqualTo(new ProcessId(0, 1));
    }

    @Test
    void shouldReplaceNobodyTwice() {
        Restarts restarts = new Restarts(2, 5);
        restarts.successor(FIRST);
        assertThat(restarts.successor(FIRST)).isNull();
        assertThat(restarts.noMore()).isEmpty();
    }

    @Test
    void shouldTellANewcomerWhoIsInTheWorldAsFarAsTheMembersSaid() {
        Restarts restarts = new Restarts(2, 5);
        assertThat(restarts.world()).extracting(MemberRecord::id).containsExactly(ProcessId.of(0), FIRST);
        restarts.successor(FIRST);
        restarts.joined(record(SECOND));
        assertThat(restarts.world()).extracting(MemberRecord::id).containsExactly(ProcessId.of(0), FIRST);
        assertThat(restarts.committed(1, world(ProcessId.of(0), SECOND))).isEmpty();
        assertThat(restarts.world()).extracting(MemberRecord::id).containsExactly(ProcessId.of(0), SECOND);
        assertThat(restarts.pending()).isEmpty();
    }

    @Test
    void shouldKeepANewcomerForOneThatDiedAfterItWasAgreedUpon() {
        Restarts restarts = new Restarts(2, 5);
        restarts.successor(FIRST);
        restarts.joined(record(SECOND));
        restarts.successor(SECOND);
        restarts.joined(record(THIRD));
        assertThat(restarts.committed(1, world(ProcessId.of(0), SECOND))).isEmpty();
        assertThat(restarts.pending()).extracting(MemberRecord::id).containsExactly(THIRD);
    }

    @Test
    void shouldSendAwayWhoHasNoPlaceInTheWorld() {
        Restarts restarts = new Restarts(2, 5);
        restarts.successor(FIRST);
        restarts.joined(record(SECOND));
        assertThat(restarts.committed(1, world(ProcessId.of(0)))).containsExactly(SECOND);
        assertThat(restarts.committed(1, world(ProcessId.of(0)))).isEmpty();
    }

    @Test
    void shouldStartNobodyWhenItIsClosed() {
        Restarts restarts = new Restarts(2, 5);
        restarts.successor(FIRST);
        restarts.joined(record(SECOND));
        assertThat(restarts.close("the world is finalized")).containsExactly(SECOND);
        assertThat(restarts.successor(ProcessId.of(0))).isNull();
        assertThat(restarts.noMore()).containsEntry(0, "the world is finalized");
    }
}
