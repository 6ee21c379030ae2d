package org.ulfmj.agree;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import org.ulfmj.agree.change.ChangeOutcome;
import org.ulfmj.agree.change.ReplaceTerms;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.ControlCodec;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Digest64;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.Timing;
import org.ulfmj.protocol.WireReader;

/**
 * Plays two deaths to the end among three imaginary ranks: evidence, obituaries, a revocation, a replacement, a shrink
 * and Finalize. Each message that arrives was written as for the wire, and is read from these bytes. A virtual machine
 * loads and links code when it is first run, and on a machine full of computing ranks that takes tens of milliseconds:
 * better in an idle moment than when a real death is to be told.
 *
 * <p>Touches nothing but the objects that it makes, apart from the caller's {@code rest}.
 */
public final class Rehearsal {
    /** Does nothing between two messages: for a caller that need not let anything else run meanwhile. */
    public static final Runnable WITHOUT_REST = new Runnable() {
        @Override
        public void run() {}
    };

    private static final int RANKS = 3;
    private static final long WORLD = 1;
    private static final long NOW_NS = 1;
    private static final Timing TIMING = Timing.fromTimeout(5_000_000_000L);

    private static final ProcessId REPLACED = ProcessId.of(RANKS - 1);
    private static final ProcessId NEWCOMER = new ProcessId(RANKS - 1, 1);
    private static final ReplaceTerms TERMS = new ReplaceTerms(true, 1, 1);

    private final List<SurvivorCore> cores = new ArrayList<>();
    private final CommunicatorIds ids = new CommunicatorIds(new Digest64(new byte[1]));
    private final Runnable rest;
    private final Queue<Delivery> inFlight = new ArrayDeque<>();
    /** How many slots have a running process. */
    private int running = RANKS;
    /** The process that has, or had, the last slot. */
    private ProcessId last = REPLACED;

    private long world = WORLD;
    private int admitted;
    private int shrunk;
    private int finalized;

    /** An event that is under way to a rank. */
    private interface Delivery {
        void arrive();
    }

    private final class Sent implements Delivery {
        private final ProcessId from;
        private final int to;
        private final byte[] wire;

        Sent(ProcessId from, int to, byte[] wire) {
            this.from = from;
            this.to = to;
            this.wire = wire;
        }

        @Override
        public void arrive() {
            ControlMessage message = ControlCodec.decode(new WireReader(wire));
            cores.get(to).onMessage(from, message, NOW_NS, outboxOf(to));
        }
    }

    private final class Drained implements Delivery {
        private final int at;
        private final ProcessId process;

        Drained(int at, ProcessId process) {
            this.at = at;
            this.process = process;
        }

        @Override
        public void arrive() {
            cores.get(at).onDrained(process, NOW_NS, outboxOf(at));
        }
    }

    /** A named class and no lambda, since the first lambda of a process costs much time. */
    private final class Out implements Outbox<ProcessId, ControlMessage> {
        private final ProcessId from;

        Out(ProcessId from) {
            this.from = from;
        }

        @Override
        public void send(ProcessId to, ControlMessage message) {
            byte[] wire = ControlCodec.encode(message);
            if (to.slot() < running && (to.slot() < RANKS - 1 || to.equals(last))) {
                inFlight.add(new Sent(from, to.slot(), wire));
            }
        }
    }

    private Rehearsal(Runnable rest) {
        this.rest = rest;
        Membership members = Membership.initial(RANKS);
        for (int slot = 0; slot < RANKS; slot++) {
            SurvivorCore core = new SurvivorCore(ProcessId.of(slot), members, TIMING, new Part(slot), NOW_NS);
            cores.add(core);
            core.register(WORLD, members.slots(), NOW_NS, outboxOf(slot));
        }
    }

    /**
     * Plays the rehearsal once.
     *
     * @param rest called after each message and each drain, so that a caller can let the program have the core in
     *     between
     * @throws IllegalStateException if the rehearsal did not end as it must
     */
    public static void play(Runnable rest) {
        new Rehearsal(rest).run();
    }

    private void run() {
        kill(REPLACED);
        cores.get(0).revoke(WORLD, NOW_NS, outboxOf(0));
        settle();
        replace();
        enterAll(Kind.AGREE);
        kill(NEWCOMER);
        enterAll(Kind.SHRINK);
        enterAll(Kind.FINALIZE);
        if (admitted != RANKS || shrunk != running || finalized != running) {
            throw new IllegalStateException(
                    "in a rehearsal " + admitted + " of " + RANKS + " had the new world, and of " + running
                            + " survivors " + shrunk + " shrank and " + finalized + " finalized");
        }
    }

    private void kill(ProcessId victim) {
        running = RANKS - 1;
        Evidence evidence = new Evidence(Evidence.Kind.CERTAIN, ProcessId.of(0), "rehearsed");
        cores.get(0).onEvidence(victim, evidence, NOW_NS, outboxOf(0));
        settle();
    }

    private void replace() {
        running = RANKS;
        last = NEWCOMER;
        SurvivorCore newcomer = SurvivorCore.newcomer(NEWCOMER, 0, TIMING, false, new Part(RANKS - 1), NOW_NS);
        cores.set(RANKS - 1, newcomer);
        newcomer.start(NOW_NS, outboxOf(RANKS - 1));
        for (int slot = 0; slot < RANKS - 1; slot++) {
            cores.get(slot).replace(WORLD, TERMS, NOW_NS, outboxOf(slot));
        }
        settle();
        for (int slot = 0; slot < RANKS - 1; slot++) {
            cores.get(slot).pending(contactOf(NEWCOMER), NOW_NS, outboxOf(slot));
        }
        settle();
    }

    private static Contact contactOf(ProcessId process) {
        return new Contact(process, 0, new byte[1]);
    }

    private void enterAll(Kind kind) {
        for (int slot = 0; slot < running; slot++) {
            cores.get(slot).enter(world, new Contribution(kind, -1, SlotSet.ALL), NOW_NS, outboxOf(slot));
        }
        settle();
    }

    private void settle() {
        for (Delivery next = inFlight.poll(); next != null; next = inFlight.poll()) {
            next.arrive();
            rest.run();
        }
    }

    private Outbox<ProcessId, ControlMessage> outboxOf(int slot) {
        return new Out(slot < RANKS - 1 ? ProcessId.of(slot) : last);
    }

    /** The driver of one imaginary rank's core. */
    private final class Part implements Effects {
        private final int slot;

        Part(int slot) {
            this.slot = slot;
        }

        @Override
        public void silent(ProcessId process) {}

        @Override
        public void heard(ProcessId process) {}

        @Override
        public void drain(ProcessId process) {
            inFlight.add(new Drained(slot, process));
        }

        @Override
        public void decided(long communicator, long sequence, Decision decision) {
            if (decision.isOnly(Kind.SHRINK)) {
                ShrinkOutcome.of(
                        ids, communicator, sequence, Membership.initial(RANKS).slots(), decision.failed());
                shrunk++;
            } else if (decision.isOnly(Kind.FINALIZE)) {
                finalized++;
            }
        }

        @Override
        public Contact contact(ProcessId process) {
            return contactOf(process);
        }

        @Override
        public CommunicatorIds ids() {
            return ids;
        }

        @Override
        public void changeEnded(long communicator, ChangeOutcome outcome) {
            if (outcome instanceof ChangeOutcome.Admitted let) {
                welcomed(let.admission());
                cores.get(slot).freed(communicator, NOW_NS, outboxOf(slot));
            }
        }

        @Override
        public void welcomed(Admission admission) {
            admitted++;
            world = admission.world();
            cores.get(slot).register(world, admission.membership().slots(), NOW_NS, outboxOf(slot));
        }

        @Override
        public void introduce(Contact contact) {}

        @Override
        public void goneOnWithout(String why) {
            throw new IllegalStateException("not let in, in a rehearsal: " + why);
        }

        @Override
        public void failed(ProcessId process, Evidence evidence) {}

        @Override
        public void departed(ProcessId process) {}

        @Override
        public void revoked(long communicator) {}

        @Override
        public void fenced(String reason) {
            throw new IllegalStateException("fenced in a rehearsal: " + reason);
        }

        @Override
        public Collection<ProcessId> peersWithSession() {
            return List.of();
        }
    }
}
