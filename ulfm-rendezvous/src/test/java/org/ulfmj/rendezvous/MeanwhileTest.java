package org.ulfmj.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.rendezvous.rounds.WorldSize;
import org.ulfmj.transport.MemberRecord;

/** Tests what a launcher is told that is elected coordinator again: the changes while it was not in office. */
class MeanwhileTest {
    private static final long MS = 1_000_000;
    private static final Outbox<Long, RendezvousMessage> NOWHERE = (nonce, message) -> {};

    private final RunSpec run = new RunSpec("job", 2, 5, 2_000 * MS, 500 * MS).withRestarts();
    private final RecordedListener launcher = new RecordedListener();
    private final RendezvousCore core = new RendezvousCore(run, launcher);

    private void say(MemberRecord process, RendezvousMessage message) {
        core.onMessage(process.nonce(), message, 1, NOWHERE);
    }

    private MemberRecord join(ProcessId id, long nonce) {
        MemberRecord process = Members.member(id, nonce, nonce);
        say(process, new RendezvousMessage.Join(process, 0, 0));
        return process;
    }

    private void begin(int round) {
        join(new ProcessId(0, round - 1), 10 * round);
        join(new ProcessId(1, round - 1), 10 * round + 1);
        core.onMessage(10L * round, new RendezvousMessage.Confirm(round), 1, NOWHERE);
        core.onMessage(10L * round + 1, new RendezvousMessage.Confirm(round), 1, NOWHERE);
    }

    private List<String> since(byte[] former) {
        launcher.take();
        core.tellSince(former);
        return launcher.take();
    }

    @Test
    void shouldTellNothingTwice() {
        begin(1);
        assertThat(since(core.image())).isEmpty();
    }

    @Test
    void shouldTellOfAWorldThatBeganAndOfWhatItsMembersSaid() {
        byte[] former = core.image();
        begin(1);
        core.onMessage(10L, new RendezvousMessage.Reached(3), 1, NOWHERE);
        core.onMessage(10L, new RendezvousMessage.Leave("preempted"), 1, NOWHERE);
        core.onMessage(11L, new RendezvousMessage.Goodbye(SlotSet.of(0)), 1, NOWHERE);
        core.onMessage(99L, new RendezvousMessage.Spare(1), 1, NOWHERE);
        assertThat(since(former))
                .containsExactly(
                        "joined 0",
                        "joined 1",
                        "spare 1",
                        "final",
                        "reached 0 rule 3",
                        "leave 0: while another process had the office",
                        "goodbye 1 {0}");
    }

    @Test
    void shouldTellOfAnAdmissionAndOfAFence() {
        begin(1);
        byte[] former = core.image();
        core.onRestartAllowed(new ProcessId(1, 1));
        core.onEnded(ProcessId.of(1), "killed", 1, NOWHERE);
        MemberRecord next = join(new ProcessId(1, 1), 21);
        List<MemberRecord> members = List.of(Members.member(ProcessId.of(0), 10, 10), next);
        core.onMessage(10L, new RendezvousMessage.Committed(1, 1, members, 7), 1, NOWHERE);
        core.onFence(ProcessId.of(0), "for a test", NOWHERE);
        assertThat(since(former))
                .containsExactly("joined 1'1", "committed by 0 epoch 1: [0, 1'1]", "fenced 0: for a test");
    }

    @Test
    void shouldTellOfAWorldThatIsGone() {
        begin(1);
        byte[] former = core.image();
        for (int slot = 0; slot < 2; slot++) {
            core.onRestartAllowed(new ProcessId(slot, 1));
            core.onEnded(ProcessId.of(slot), "killed", 1, NOWHERE);
        }
        assertThat(since(former)).containsExactly("world gone");
        begin(2);
        assertThat(since(former)).containsExactly("world gone", "joined 0'1", "joined 1'1", "final");
    }

    /**
     * A launcher that is elected again was not told which slots were given to processes that joined while another had
     * the office. So it is told of their joining and their goodbyes not by their slots but by the provisional names
     * that they got when they joined.
     */
    @Test
    void shouldTellOfProcessesOfAWorldThatGrowsByTheNamesThatTheyKeep() {
        RunSpec growing = new RunSpec("job", new WorldSize(1, 3, 100 * MS), 5, 2_000 * MS, 500 * MS);
        RendezvousCore grown = new RendezvousCore(growing, launcher);
        byte[] former = grown.image();
        MemberRecord first = joinWithoutSlot(grown, 10);
        grown.onAllStartedJoined(1, NOWHERE);
        grown.onMessage(10L, new RendezvousMessage.Confirm(1), 1, NOWHERE);
        MemberRecord second = joinWithoutSlot(grown, 11);
        List<MemberRecord> both = List.of(first.named(ProcessId.of(0)), second.named(ProcessId.of(1)));
        grown.onMessage(10L, new RendezvousMessage.Committed(1, 1, both, 7), 1, NOWHERE);
        grown.onMessage(11L, new RendezvousMessage.Committed(1, 1, both, 7), 1, NOWHERE);
        grown.onMessage(11L, new RendezvousMessage.Goodbye(SlotSet.of(0)), 1, NOWHERE);
        joinWithoutSlot(grown, 12);
        launcher.take();
        grown.tellSince(former);
        ProcessId one = Joiner.provisional(0);
        ProcessId other = Joiner.provisional(1);
        assertThat(launcher.take())
                .containsSubsequence(
                        "joined " + one,
                        "joined " + other,
                        "pending " + Joiner.provisional(2),
                        "final",
                        "committed by 0 epoch 1: [0, 1]",
                        "goodbye " + other + " {0}");
    }

    /**
     * A later verdict of the judge may name a process by the name that it got in an epoch that the launcher missed, so
     * the launcher is told that name if the process was let in and left out meanwhile.
     */
    @Test
    void shouldTellTheNameOfAProcessThatWasLetInAndLeftOutMeanwhile() {
        RunSpec growing = new RunSpec("job", new WorldSize(1, 3, 100 * MS), 5, 2_000 * MS, 500 * MS);
        RendezvousCore grown = new RendezvousCore(growing, launcher);
        MemberRecord first = joinWithoutSlot(grown, 10);
        grown.onAllStartedJoined(1, NOWHERE);
        grown.onMessage(10L, new RendezvousMessage.Confirm(1), 1, NOWHERE);
        byte[] former = grown.image();
        MemberRecord second = joinWithoutSlot(grown, 11);
        MemberRecord one = first.named(ProcessId.of(0));
        MemberRecord other = second.named(ProcessId.of(1));
        grown.onMessage(10L, new RendezvousMessage.Committed(1, 1, List.of(one, other), 7), 1, NOWHERE);
        assertThat(named(grown, former)).as("a member").isEmpty();
        grown.onMessage(10L, new RendezvousMessage.Committed(1, 2, List.of(one), 8), 1, NOWHERE);
        assertThat(named(grown, former)).containsExactly("named 1/11");
    }

    private List<String> named(RendezvousCore grown, byte[] former) {
        launcher.take();
        grown.tellSince(former);
        return launcher.take().stream().filter(line -> line.startsWith("named")).toList();
    }

    private static MemberRecord joinWithoutSlot(RendezvousCore core, long nonce) {
        MemberRecord process = Members.member(Joiner.NAMELESS, nonce, nonce);
        Joiner joiner = new Joiner(0, (int) nonce, process);
        core.onMessage(nonce, new RendezvousMessage.JoinAnywhere(joiner, 0, 0), 1, NOWHERE);
        return process;
    }

    @Test
    void shouldTellOfTheEnd() {
        byte[] former = core.image();
        core.onAbort(3, "for a test", NOWHERE);
        assertThat(since(former)).containsExactly("abort by 0 3: for a test");
        RendezvousCore closed = new RendezvousCore(run, launcher);
        closed.onClose("closed", NOWHERE);
        launcher.take();
        closed.tellSince(former);
        assertThat(launcher.take()).containsExactly("closed CLOSED: closed");
    }
}
