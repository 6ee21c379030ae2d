package org.ulfmj.agree;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Digest64;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.Timing;
import org.ulfmj.protocol.WireReader;

/**
 * Plays a death to the end among three imaginary ranks: evidence, obituaries, a revocation, a shrink and Finalize, every
 * message written and read as on the wire. A virtual machine loads and links code when it is first run, and on a machine
 * full of computing ranks that takes tens of milliseconds: better in an idle moment than when a real death is to be told.
 *
 * <p>Touches nothing but objects of its own; about 20 ms of one core the first time.
 */
public final class Rehearsal {
    private static final int RANKS = 3;
    private static final long WORLD = 1;
    private static final long NOW_NS = 1;
    private static final Timing TIMING = Timing.fromTimeout(5_000_000_000L);

    private final List<SurvivorCore> cores = new ArrayList<>();
    private final Queue<Delivery> inFlight = new ArrayDeque<>();
    private int shrunk;
    private int finalized;

    /** Something on its way to a rank. */
    private interface Delivery {
        void arrive();
    }

    private final class Sent implements Delivery {
        private final int from;
        private final int to;
        private final byte[] wire;

        Sent(int from, int to, byte[] wire) {
            this.from = from;
            this.to = to;
            this.wire = wire;
        }

        @Override
        public void arrive() {
            ControlMessage message = ControlCodec.decode(new WireReader(wire));
            cores.get(to).onMessage(ProcessId.of(from), message, NOW_NS, outboxOf(to));
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

    /** Not a lambda, of which the first costs more than the whole rehearsal. */
    private final class Out implements Outbox<ProcessId, ControlMessage> {
        private final int from;

        Out(int from) {
            this.from = from;
        }

        @Override
        public void send(ProcessId to, ControlMessage message) {
            byte[] wire = ControlCodec.encode(message);
            if (to.slot() < RANKS - 1) {
                inFlight.add(new Sent(from, to.slot(), wire));
            }
        }
    }

    private Rehearsal() {
        Membership members = Membership.initial(RANKS);
        for (int slot = 0; slot < RANKS; slot++) {
            SurvivorCore core = new SurvivorCore(ProcessId.of(slot), members, TIMING, new Part(slot), NOW_NS);
            cores.add(core);
            core.register(WORLD, members.slots(), NOW_NS, outboxOf(slot));
        }
    }

    /**
     * Plays it once.
     *
     * @throws IllegalStateException if it did not end as it must
     */
    public static void play() {
        new Rehearsal().run();
    }

    private void run() {
        int victim = RANKS - 1;
        ProcessId dead = ProcessId.of(victim);
        cores.get(0)
                .onEvidence(
                        dead, new Evidence(Evidence.Kind.CERTAIN, ProcessId.of(0), "rehearsed"), NOW_NS, outboxOf(0));
        settle();
        cores.get(0).revoke(WORLD, NOW_NS, outboxOf(0));
        settle();
        enterAll(Kind.SHRINK);
        enterAll(Kind.FINALIZE);
        if (shrunk != victim || finalized != victim) {
            throw new IllegalStateException(
                    "of " + victim + " survivors " + shrunk + " shrank and " + finalized + " finalized in a rehearsal");
        }
    }

    private void enterAll(Kind kind) {
        for (int slot = 0; slot < RANKS - 1; slot++) {
            cores.get(slot).enter(WORLD, new Contribution(kind, -1, SlotSet.ALL), NOW_NS, outboxOf(slot));
        }
        settle();
    }

    private void settle() {
        for (Delivery next = inFlight.poll(); next != null; next = inFlight.poll()) {
            next.arrive();
        }
    }

    private Outbox<ProcessId, ControlMessage> outboxOf(int slot) {
        return new Out(slot);
    }

    /** What the core of one imaginary rank asks for. */
    private final class Part implements Effects {
        private final int slot;

        Part(int slot) {
            this.slot = slot;
        }

        @Override
        public void drain(ProcessId process) {
            inFlight.add(new Drained(slot, process));
        }

        @Override
        public void decided(long communicator, long sequence, Decision decision) {
            if (decision.isOnly(Kind.SHRINK)) {
                ShrinkOutcome.of(
                        new CommunicatorIds(new Digest64(new byte[1])),
                        communicator,
                        sequence,
                        Membership.initial(RANKS).slots(),
                        decision.failed());
                shrunk++;
            } else if (decision.isOnly(Kind.FINALIZE)) {
                finalized++;
            }
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
