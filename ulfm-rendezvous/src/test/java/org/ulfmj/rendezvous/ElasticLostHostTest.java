package org.ulfmj.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.rendezvous.rounds.WorldSize;
import org.ulfmj.transport.MemberRecord;

/**
 * J4 and V15 in an elastic world of one to four processes, whose names change. Process p has nonce p and is the p-th
 * child of the launcher; the processes 3 and 4 are on host 1, which falls silent. The timeout is 1,000 ms, a lease
 * 2,000 ms (one test has no leases).
 */
class ElasticLostHostTest {
    private static final long MS = 1_000_000;
    private static final String SILENT = "is on host 1, which was silent for 1500 ms";
    private static final String OVER = "its process " + SILENT + ", and its lease (ulfm.rdzv.lease) is over";

    private final RecordedListener listener = new RecordedListener();
    private final RunSpec withoutLeases =
            new RunSpec("job", new WorldSize(1, 4, 30 * MS), 0, 600_000 * MS, 1_000 * MS).withSilence(1_000 * MS);
    private RendezvousCore core = new RendezvousCore(withoutLeases.withLease(2_000 * MS), listener);
    private final List<String> sent = new ArrayList<>();
    private final Outbox<Long, RendezvousMessage> out = (nonce, message) -> sent.add(nonce + ":" + message);

    /**
     * Makes a world of two members: process 1 on the launcher's host becomes slot 0, process 3 on host 1 becomes slot
     * 1.
     */
    private void makeWorld() {
        core.onPlaced(ProcessId.of(3), 1);
        core.onPlaced(ProcessId.of(4), 1);
        join(1);
        join(3);
        core.onAllStartedJoined(0, out);
        says(1, new RendezvousMessage.Confirm(1), 0);
        says(3, new RendezvousMessage.Confirm(1), 0);
        forget();
    }

    @Test
    void shouldHoldAMemberForFailedWithItsHostAndForDeadWithItsLease() {
        makeWorld();
        says(3, new RendezvousMessage.KeepAlive(5), 0);
        assertThat(take()).containsExactly("3:Kept[number=5]");
        pass(50, 1_500);
        assertThat(take())
                .contains(
                        "1:Silenced[process=1, nonce=3, reason=its process " + SILENT + "]",
                        "3:Fence[reason=its process " + SILENT + "]")
                .noneMatch(line -> line.contains("Death"));
        assertThat(listener.take()).containsExactly("lost [1] with host 1: " + SILENT);
        says(3, new RendezvousMessage.KeepAlive(6), 1_510);
        assertThat(take()).as("its lease must not begin anew").isEmpty();
        pass(1_550, 2_350);
        assertThat(take()).noneMatch(line -> line.contains("Death"));
        pass(2_400, 2_400);
        assertThat(take()).contains("1:Death[process=1, nonce=3, reason=" + OVER + "]");
        assertThat(listener.take()).containsExactly("lease over 1: " + OVER);
    }

    /** The keep-alive of the process came before it was let in, when it had its provisional name. */
    @Test
    void shouldKeepTheLeaseOfAProcessThatIsLetIn() {
        makeWorld();
        join(4);
        says(4, new RendezvousMessage.KeepAlive(5), 900);
        core.onAgentHeard(1, 900 * MS, out);
        commit(1, 1, member(0, 1), member(1, 3), member(2, 4));
        forget();
        pass(950, 2_600);
        assertThat(listener.take()).contains("lost [1, 2] with host 1: " + SILENT);
        pass(2_650, 3_250);
        assertThat(listener.take()).isEmpty();
        pass(3_300, 3_300);
        assertThat(listener.take())
                .as("2400 ms after its keep-alive; process 3 never had one")
                .containsExactly("lease over 2: " + OVER);
    }

    @Test
    void shouldTellByItsNonceOfAProcessThatWaits() {
        makeWorld();
        join(4);
        assertThat(take()).anyMatch(line -> line.startsWith("1:Waiting"));
        pass(50, 1_500);
        assertThat(take())
                .contains(
                        "1:Silenced[process=16777218, nonce=4, reason=its process " + SILENT + "]",
                        "4:Fence[reason=its process " + SILENT + "]");
    }

    @Test
    void shouldTellThatAProcessIsLostWhichMembersLetInMeanwhile() {
        makeWorld();
        join(4);
        pass(50, 1_500);
        forget();
        commit(1, 1, member(0, 1), member(1, 3), member(2, 4));
        assertThat(take()).contains("1:Silenced[process=2, nonce=4, reason=its process " + SILENT + "]");
        core.onAgentHeard(1, 1_700 * MS, out);
        pass(1_750, 1_750);
        assertThat(listener.take()).contains("silent 1: " + SILENT, "silent 2: " + SILENT);
    }

    @Test
    void shouldHaveAProcessEndedThatWasLostUnderAnotherCoordinatorAndWasLetInMeanwhile() {
        core = new RendezvousCore(withoutLeases, listener);
        makeWorld();
        join(4);
        pass(50, 1_500);
        core = RendezvousCore.restored(core.image(), listener, 1, true, 0, 1_500 * MS);
        forget();
        commit(1, 1, member(0, 1), member(1, 3), member(2, 4));
        core.onAgentHeard(1, 1_700 * MS, out);
        pass(1_750, 1_750);
        assertThat(listener.take()).contains("silent 1: " + SILENT, "silent 2: " + SILENT);
    }

    /** SIGKILL has to reach the right process under whatever name it has by then. */
    @Test
    void shouldHaveAProcessEndedThatIsStoppedPastItsLeaseAndWasLetInMeanwhile() {
        makeWorld();
        join(4);
        says(3, new RendezvousMessage.KeepAlive(5), 0);
        says(4, new RendezvousMessage.KeepAlive(5), 0);
        pass(50, 2_400);
        forget();
        commit(1, 1, member(0, 1), member(1, 3), member(2, 4));
        assertThat(take()).contains("1:Death[process=2, nonce=4, reason=its process ended while it was admitted]");
        core.onAgentHeard(1, 2_900 * MS, out);
        pass(2_950, 2_950);
        assertThat(listener.take()).contains("silent 1: " + SILENT, "silent 2: " + SILENT);
        core.onProven(4, 3_000 * MS, out);
        pass(3_050, 6_000);
        assertThat(listener.take()).contains("silent 1: " + SILENT).noneMatch(line -> line.startsWith("silent 2"));
    }

    @Test
    void shouldAnnounceNoLostProcessOnceThereIsRoom() {
        makeWorld();
        join(2);
        join(5);
        commit(1, 1, member(0, 1), member(1, 3), member(2, 2), member(3, 5));
        join(4);
        forget();
        pass(50, 1_500);
        assertThat(take())
                .contains("4:Fence[reason=its process " + SILENT + "]")
                .noneMatch(line -> line.contains("nonce=4"));
        commit(1, 2, member(0, 1), member(2, 2));
        assertThat(take()).noneMatch(line -> line.contains("Waiting"));
    }

    /**
     * A world that gathers anew after the loss may give slots to new members that lost processes had before: the lost
     * ones must not be confused with them.
     */
    @Test
    void shouldNotTakeAMemberOfTheNextWorldForOneThatIsLost() {
        makeWorld();
        says(3, new RendezvousMessage.KeepAlive(5), 0);
        pass(50, 2_400);
        join(2);
        core.onEnded(ProcessId.of(0), "killed", 2_410 * MS, out);
        says(2, new RendezvousMessage.StillWaiting(1), 2_410);
        assertThat(listener.take()).contains("world gone");
        core.onAllStartedJoined(2_420 * MS, out);
        says(2, new RendezvousMessage.Confirm(2), 2_430);
        assertThat(take()).anyMatch(line -> line.startsWith("2:Final"));
        listener.take();
        core.onAgentHeard(1, 2_900 * MS, out);
        pass(2_950, 2_950);
        assertThat(listener.take()).as("process 3").containsExactly("silent 16777217: " + SILENT);
        core.onProven(3, 2_960 * MS, out);
        pass(3_000, 3_400);
        assertThat(listener.take()).isEmpty();
    }

    private void join(int process) {
        Joiner joiner = new Joiner(0, process, record(process));
        says(process, new RendezvousMessage.JoinAnywhere(joiner, 0, 0), 0);
    }

    private void says(long process, RendezvousMessage message, long atMs) {
        core.onMessage(process, message, atMs * MS, out);
    }

    private void commit(long process, int epoch, MemberRecord... members) {
        says(process, new RendezvousMessage.Committed(1, epoch, List.of(members), epoch), 0);
    }

    private static MemberRecord record(int process) {
        return Members.member(ProcessId.of(0), process, process).named(Joiner.NAMELESS);
    }

    private static MemberRecord member(int slot, int process) {
        return record(process).named(ProcessId.of(slot));
    }

    /** Lets time pass in steps of 50 ms, in each of which a message of process 1 comes. */
    private void pass(long fromMs, long untilMs) {
        for (long atMs = fromMs; atMs <= untilMs; atMs += 50) {
            says(1, new RendezvousMessage.Here(0), atMs);
            core.onTick(atMs * MS, out);
        }
    }

    private void forget() {
        take();
        listener.take();
    }

    private List<String> take() {
        List<String> taken = List.copyOf(sent);
        sent.clear();
        return taken;
    }
}
