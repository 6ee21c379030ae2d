package org.ulfmj.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.MemberRecord;

class KnownWorldTest {
    private static final ProcessId FIRST = ProcessId.of(1);
    private static final ProcessId SECOND = new ProcessId(1, 1);
    private static final ProcessId THIRD = new ProcessId(1, 2);

    private static MemberRecord record(ProcessId process) {
        return KnownWorld.record(process, process.incarnation());
    }

    private static List<MemberRecord> world(ProcessId... members) {
        return List.of(members).stream().map(KnownWorldTest::record).toList();
    }

    @Test
    void shouldLetOneProcessFollowTheLastOfASlot() {
        KnownWorld world = new KnownWorld(3);
        assertThat(world.ended(FIRST)).isTrue();
        world.follows(SECOND);
        world.joined(record(SECOND));
        assertThat(world.ended(FIRST)).as("the end is heard of twice").isFalse();
        assertThat(world.pending()).hasSize(1);
        assertThat(world.ended(SECOND)).isTrue();
        assertThat(world.pending()).isEmpty();
    }

    @Test
    void shouldTellANewcomerWhoIsInTheWorldAsFarAsTheMembersSaid() {
        KnownWorld world = new KnownWorld(2);
        assertThat(world.members()).extracting(MemberRecord::id).containsExactly(ProcessId.of(0), FIRST);
        world.follows(SECOND);
        world.joined(record(SECOND));
        assertThat(world.members()).extracting(MemberRecord::id).containsExactly(ProcessId.of(0), FIRST);
        assertThat(world.committed(1, world(ProcessId.of(0), SECOND))).isEmpty();
        assertThat(world.members()).extracting(MemberRecord::id).containsExactly(ProcessId.of(0), SECOND);
        assertThat(world.pending()).isEmpty();
    }

    @Test
    void shouldKeepANewcomerForOneThatDiedAfterItWasAgreedUpon() {
        KnownWorld world = new KnownWorld(2);
        world.follows(SECOND);
        world.joined(record(SECOND));
        world.follows(THIRD);
        world.joined(record(THIRD));
        assertThat(world.committed(1, world(ProcessId.of(0), SECOND))).isEmpty();
        assertThat(world.pending()).extracting(MemberRecord::id).containsExactly(THIRD);
    }

    @Test
    void shouldSendAwayWhoHasNoPlaceInTheWorld() {
        KnownWorld world = new KnownWorld(2);
        world.follows(SECOND);
        world.joined(record(SECOND));
        assertThat(world.committed(1, world(ProcessId.of(0)))).containsExactly(SECOND);
        assertThat(world.committed(1, world(ProcessId.of(0)))).isEmpty();
    }

    @Test
    void shouldHaveNoNewcomerThatWaitsWhenItIsClosed() {
        KnownWorld world = new KnownWorld(2);
        world.follows(SECOND);
        world.joined(record(SECOND));
        assertThat(world.waiting()).containsExactly(SECOND);
        world.close();
        assertThat(world.waiting()).isEmpty();
    }
}
