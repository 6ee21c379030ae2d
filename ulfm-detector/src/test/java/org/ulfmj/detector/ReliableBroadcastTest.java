package org.ulfmj.detector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;

class ReliableBroadcastTest {
    /** An event over a fixed member list. */
    record Note(String name, SlotRuns members, int originSlot) implements ReliableBroadcast.Event {
        @Override
        public Object key() {
            return name;
        }

        @Override
        public SlotRuns membersIn(Membership current) {
            return members;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private final FailureSet failures = new FailureSet();
    private final Outgoing<Note> out = new Outgoing<>();

    private ReliableBroadcast<Note> broadcast(int me, int size) {
        return new ReliableBroadcast<>(ProcessId.of(me), Membership.initial(size), failures);
    }

    private void fail(int slot) {
        failures.markFailed(ProcessId.of(slot), new Evidence(Evidence.Kind.CERTAIN, ProcessId.of(0), "test"), 0);
    }

    @Test
    void shouldSendToAllNeighboursOnceChildrenFirst() {
        ReliableBroadcast<Note> broadcast = broadcast(1, 8);
        Note note = new Note("a", SlotRuns.range(8), 0);

        assertThat(broadcast.spread(note, out)).isTrue();
        assertThat(out.take()).containsExactly("3:Note", "5:Note", "0:Note", "7:Note", "2:Note");
        assertThat(broadcast.spread(note, out)).isFalse();
        assertThat(out.take()).isEmpty();
        assertThat(broadcast.holds("a")).isTrue();
    }

    /** With n = 8 and ranks 1 and 2 known to be dead, the graph is that of the six survivors. */
    @Test
    void shouldUseTheGraphOfTheSurvivors() {
        fail(1);
        fail(2);
        broadcast(0, 8).spread(new Note("a", SlotRuns.range(8), 0), out);
        assertThat(out.take()).containsExactlyInAnyOrder("3:Note", "4:Note", "6:Note", "7:Note");
        broadcast(3, 8).spread(new Note("a", SlotRuns.range(8), 0), out);
        assertThat(out.take()).containsExactlyInAnyOrder("0:Note", "4:Note", "5:Note", "7:Note");
        broadcast(7, 8).spread(new Note("a", SlotRuns.range(8), 0), out);
        assertThat(out.take()).containsExactlyInAnyOrder("0:Note", "3:Note", "5:Note", "6:Note");
    }

    @Test
    void shouldSendWhatItHoldsToWhomADeathMadeANeighbour() {
        ReliableBroadcast<Note> broadcast = broadcast(0, 8);
        broadcast.spread(new Note("a", SlotRuns.range(8), 0), out);
        assertThat(out.take()).containsExactly("1:Note", "2:Note", "4:Note", "7:Note", "6:Note");

        fail(1);
        broadcast.onGone(ProcessId.of(1), out);
        // The survivors are 0, 2, 3, 4, 5, 6 and 7. Of rank 0, the places ±1, ±2 and ±4 are ranks 2, 3, 4, 5, 6 and 7.
        assertThat(out.take()).containsExactlyInAnyOrder("3:Note", "5:Note");
        broadcast.onGone(ProcessId.of(1), out);
        assertThat(out.take()).isEmpty();
    }

    @Test
    void shouldPassOverTheDepartedAsOverTheFailed() {
        failures.markDeparted(ProcessId.of(1));
        broadcast(0, 3).spread(new Note("a", SlotRuns.range(3), 0), out);
        assertThat(out.take()).containsExactly("2:Note");
    }

    @Test
    void shouldReplayInTheOrderOfTheEventsAndNotWhatWasForgotten() {
        ReliableBroadcast<Note> broadcast = broadcast(0, 8);
        broadcast.spread(new Note("b", SlotRuns.range(8), 0), out);
        broadcast.spread(new Note("c", SlotRuns.range(8), 0), out);
        broadcast.spread(new Note("a", SlotRuns.range(8), 0), out);
        broadcast.forget("c");
        out.take();

        fail(1);
        broadcast.onGone(ProcessId.of(1), out);
        assertThat(out.takeSent().stream().map(sent -> sent.message().name())).containsExactly("b", "b", "a", "a");
    }

    @Test
    void shouldSpreadOverTheMembersOfTheEventOnly() {
        ReliableBroadcast<Note> broadcast = broadcast(4, 100);
        broadcast.spread(new Note("a", SlotRuns.of(90, 4, 17), 17), out);
        assertThat(out.take()).containsExactly("90:Note", "17:Note");
    }

    @Test
    void shouldServeItsOwnTreeWhenTheOriginIsNoMember() {
        broadcast(0, 8).spread(new Note("a", SlotRuns.range(8), 77), out);
        assertThat(out.take()).containsExactly("1:Note", "2:Note", "4:Note", "7:Note", "6:Note");
    }

    @Test
    void shouldHoldButNotSendAnEventOfOthers() {
        ReliableBroadcast<Note> broadcast = broadcast(5, 8);
        assertThat(broadcast.spread(new Note("a", SlotRuns.range(4), 0), out)).isTrue();
        assertThat(out.take()).isEmpty();
    }

    @Test
    void shouldSendEverythingToANewcomerThatBecameANeighbour() {
        ReliableBroadcast<Note> broadcast = broadcast(0, 3);
        broadcast.spread(new Note("a", SlotRuns.range(3), 0), out);
        fail(1);
        broadcast.onGone(ProcessId.of(1), out);
        out.take();

        broadcast.enter(Membership.of(1, SlotRuns.range(3), Map.of(1, 1)), out);
        assertThat(out.take()).containsExactly("1'1:Note");
    }

    @Test
    void shouldSpreadAnObituaryOverTheCurrentWorld() {
        ReliableBroadcast<DetectorMessage.Obituary> broadcast =
                new ReliableBroadcast<>(ProcessId.of(3), Membership.initial(4), failures);
        Outgoing<DetectorMessage> messages = new Outgoing<>();
        fail(2);
        DetectorMessage.Obituary obituary = new DetectorMessage.Obituary(
                ProcessId.of(2), new Evidence(Evidence.Kind.SUSPECTED, ProcessId.of(3), "no heartbeat for 5 s"));

        assertThat(broadcast.spread(obituary, messages)).isTrue();
        assertThat(messages.take()).containsExactly("0:Obituary", "1:Obituary");
        assertThat(broadcast.spread(
                        new DetectorMessage.Obituary(
                                ProcessId.of(2), new Evidence(Evidence.Kind.CERTAIN, ProcessId.of(0), "other words")),
                        messages))
                .isFalse();
    }
}
