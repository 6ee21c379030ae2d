package org.ulfmj.agree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.ulfmj.agree.change.ChangeOutcome;
import org.ulfmj.agree.change.ReplaceTerms;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.ControlCodec;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.agree.tree.TreeShape;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Digest64;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.Timing;

/**
 * After hundreds of recoveries, one takes as many messages as an early one, and its longest welcome is no longer, both
 * within a tenth. The cores use one epoch then and know at most one failure.
 */
@Tag("long")
class RecoveryCostTest {
    private static final int RANKS = 64;
    private static final int RECOVERIES = 400;
    private static final long WORLD = 1;
    /** A timeout so long that no heartbeat is due in the test. */
    private static final Timing TIMING = Timing.fromTimeout(1_000_000_000_000_000L);

    private static final ReplaceTerms TERMS = new ReplaceTerms(true, 8, 1L << 60);

    private final Membership founders = Membership.initial(RANKS);
    private final CommunicatorIds ids = new CommunicatorIds(new Digest64(new byte[] {7}));
    private final SortedMap<ProcessId, Member> members = new TreeMap<>();
    private final Queue<Runnable> inFlight = new ArrayDeque<>();
    private long sent;
    private long bytes;

    private final class Member extends NotedEffects implements Outbox<ProcessId, ControlMessage> {
        final SurvivorCore core;
        long world = WORLD;

        Member(ProcessId id) {
            super(id);
            this.core = id.incarnation() == 0
                    ? new SurvivorCore(id, founders, TIMING, this, 0)
                    : SurvivorCore.newcomer(id, contact(id).nonce(), TIMING, false, this, 0);
        }

        @Override
        public void send(ProcessId to, ControlMessage message) {
            sent++;
            if (message instanceof ControlMessage.Welcome) {
                bytes = Math.max(bytes, ControlCodec.encode(message).length);
            }
            inFlight.add(() -> {
                Member receiver = members.get(to);
                if (receiver != null) {
                    receiver.core.onMessage(id, message, 0, receiver);
                }
            });
        }

        @Override
        public void drain(ProcessId process) {
            inFlight.add(() -> core.onDrained(process, 0, this));
        }

        @Override
        public void fenced(String reason) {
            throw new AssertionError(id + " fenced: " + reason);
        }

        @Override
        public Contact contact(ProcessId process) {
            return RecoveryCostTest.contact(process);
        }

        @Override
        public void introduce(Contact contact) {}

        @Override
        public CommunicatorIds ids() {
            return ids;
        }

        @Override
        public void changeEnded(long communicator, ChangeOutcome outcome) {
            moveTo(((ChangeOutcome.Admitted) outcome).admission());
            core.freed(communicator, 0, this);
        }

        @Override
        public void welcomed(Admission admission) {
            moveTo(admission);
        }

        private void moveTo(Admission admission) {
            world = admission.world();
            core.register(world, admission.membership().slots(), TreeShape.WIDE, 0, this);
        }
    }

    private static Contact contact(ProcessId process) {
        return new Contact(process, 1000L * process.slot() + process.incarnation(), new byte[40]);
    }

    private void settle() {
        for (Runnable next = inFlight.poll(); next != null; next = inFlight.poll()) {
            next.run();
        }
    }

    /**
     * Lets a member die. Another member revokes the world, all members replace, and agree in the new world. Returns the
     * number of messages of this recovery.
     */
    private long recover(int round) {
        long before = sent;
        bytes = 0;
        int slot = 1 + round % (RANKS - 1);
        ProcessId victim = new ProcessId(slot, round / (RANKS - 1));
        members.remove(victim);
        for (Member each : members.values()) {
            each.core.onEvidence(victim, new Evidence(Evidence.Kind.CERTAIN, each.id, "killed"), 0, each);
        }
        settle();
        Member first = members.get(ProcessId.of(0));
        first.core.revoke(first.world, 0, first);
        settle();
        List<Member> survivors = new ArrayList<>(members.values());
        Member newcomer = new Member(new ProcessId(slot, victim.incarnation() + 1));
        members.put(newcomer.id, newcomer);
        for (Member each : survivors) {
            each.core.pending(contact(newcomer.id), 0, each);
            each.core.replace(each.world, TERMS, 0, each);
        }
        settle();
        for (Member each : members.values()) {
            assertThat(each.world).isEqualTo(first.world);
            each.core.enter(each.world, new Contribution(Kind.AGREE, -1, SlotSet.ALL), 0, each);
        }
        settle();
        return sent - before;
    }

    @Tag("release")
    @Test
    void shouldCostTheSameAfterFourHundredRecoveriesAndKeepNothingOfThem() {
        for (int slot = 0; slot < RANKS; slot++) {
            members.put(ProcessId.of(slot), new Member(ProcessId.of(slot)));
        }
        for (Member each : members.values()) {
            each.core.register(WORLD, founders.slots(), TreeShape.WIDE, 0, each);
        }
        long tenth = 0;
        long bytesOfTenth = 0;
        long last = 0;
        for (int round = 0; round < RECOVERIES; round++) {
            last = recover(round);
            if (round == 9) {
                tenth = last;
                bytesOfTenth = bytes;
            }
        }
        assertThat(last).as("messages of the last recovery").isBetween(tenth * 9 / 10, tenth * 11 / 10);
        assertThat(bytes).as("bytes of a welcome").isLessThanOrEqualTo(bytesOfTenth * 11 / 10);
        for (Member each : members.values()) {
            assertThat(each.core.epochsInUse()).isEqualTo(1);
            assertThat(each.core.failures().failedInOrder()).hasSizeLessThanOrEqualTo(1);
        }
    }
}
