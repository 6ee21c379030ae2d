package org.ulfmj.check.exhaustive;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.agree.Effects;
import org.ulfmj.agree.SurvivorCore;
import org.ulfmj.agree.change.ChangeOutcome;
import org.ulfmj.agree.change.GrowTerms;
import org.ulfmj.agree.change.ReplaceTerms;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Joiner;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Digest64;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.Timing;
import org.ulfmj.sim.Violation;

/**
 * One process of a small world of replace() or grow(): the shipped core, and a program that makes that call, makes the
 * communicator of the new world and agrees on it. A newcomer does the latter two once it is welcomed. The clock of a
 * process here only says whether the call's time limit has passed.
 */
final class ReplaceSeat implements Effects {
    /** The seat of the newcomer. A rank's seat has the number of its slot. */
    static final int NEWCOMER = ReplaceSmall.RANKS;

    private static final Timing TIMING = Timing.fromTimeout(1_000_000_000L);
    private static final CommunicatorIds IDS = new CommunicatorIds(new Digest64(new byte[32]));
    private static final long TIMEOUT_NS = 1;

    /** A limit above the number of communicators that are freed here, so that housekeeping never starts by itself. */
    private static final int NEVER = 1000;

    private final ReplaceSmall world;
    private final ProcessId id;
    private final SurvivorCore core;
    private final SortedSet<ProcessId> known = new TreeSet<>();
    private final SortedSet<ProcessId> toldDead = new TreeSet<>();
    private final SortedSet<ProcessId> toDrain = new TreeSet<>();
    private final SortedSet<Integer> toldNoMore = new TreeSet<>();
    private boolean toldPending;
    private boolean called;
    private boolean refused;
    private boolean built;
    private boolean entered;
    private boolean late;
    private boolean wentAway;
    private String fencedFor;
    private Admission admission;
    private Decision agreed;

    /**
     * @param start the slot of a rank; for a newcomer, the number of ranks, plus, in a world of replace(), the slot in
     *     which the newcomer is started
     */
    ReplaceSeat(ReplaceSmall world, int start) {
        this.world = world;
        boolean isNewcomer = start >= NEWCOMER;
        id = isNewcomer ? world.newcomer(start - NEWCOMER) : ProcessId.of(start);
        core = isNewcomer
                ? SurvivorCore.newcomer(id, contactOf(id).nonce(), TIMING, false, this, 0)
                : new SurvivorCore(id, Membership.initial(ReplaceSmall.RANKS), TIMING, this, 0);
        for (int slot = 0; slot < ReplaceSmall.RANKS; slot++) {
            known.add(ProcessId.of(slot));
        }
    }

    void start(Outbox<ProcessId, ControlMessage> out) {
        core.start(0, out);
        core.keepHouseAt(NEVER);
        if (!isNewcomer()) {
            core.register(ExhaustiveRank.COMM_WORLD, core.membership().slots(), 0, out);
        }
    }

    static Contact contactOf(ProcessId process) {
        return new Contact(process, 100 + process.slot() + 10L * process.incarnation(), new byte[0]);
    }

    static int seatOf(ProcessId process) {
        return process.incarnation() > 0 ? NEWCOMER : process.slot();
    }

    private boolean isNewcomer() {
        return seatOf(id) == NEWCOMER;
    }

    private long nowNs() {
        return late ? TIMEOUT_NS : 0;
    }

    /**
     * Carries out an event.
     *
     * @param newcomer the process in the newcomer's seat; null if none was started
     * @param message the message that arrives; null for other events
     */
    void run(ReplaceEvent event, ProcessId newcomer, ControlMessage message, Outbox<ProcessId, ControlMessage> out) {
        ProcessId other = event.other() == NEWCOMER ? newcomer : ProcessId.of(event.other());
        switch (event.what()) {
            case GETS -> core.onMessage(other, message, nowNs(), out);
            case REPLACES -> {
                called = true;
                if (world.grows()) {
                    core.grow(ExhaustiveRank.COMM_WORLD, new GrowTerms(ReplaceSmall.RANKS + 1), nowNs(), out);
                    break;
                }
                ReplaceTerms terms = new ReplaceTerms(world.strict(), world.rounds(), TIMEOUT_NS);
                core.replace(ExhaustiveRank.COMM_WORLD, terms, nowNs(), out);
            }
            case BUILDS -> build(out);
            case AGREES -> {
                entered = true;
                Contribution mine = new Contribution(Kind.AGREE, ExhaustiveRank.flagOf(id.slot()), SlotSet.ALL);
                core.enter(admission.world(), mine, nowNs(), out);
            }
            case LEARNS -> {
                toldDead.add(other);
                core.onEvidence(other, new Evidence(Evidence.Kind.CERTAIN, id, "ended"), nowNs(), out);
            }
            case PENDING -> {
                toldPending = true;
                if (world.grows()) {
                    Contact joiner = contactOf(newcomer);
                    core.waiting(new Joiner(0, 0, joiner.nonce(), joiner.address()));
                    break;
                }
                core.pending(contactOf(newcomer), nowNs(), out);
            }
            case NO_MORE -> {
                toldNoMore.add(event.other());
                core.noMore(event.other(), "all restarts are used up", nowNs(), out);
            }
            case IS_LATE -> late = true;
            case TICKS -> core.onTick(nowNs(), out);
            default -> throw new IllegalStateException("not for a process to do: " + event);
        }
        for (ProcessId dead : List.copyOf(toDrain)) {
            toDrain.remove(dead);
            core.onDrained(dead, nowNs(), out);
        }
    }

    private void build(Outbox<ProcessId, ControlMessage> out) {
        built = true;
        core.register(admission.world(), admission.membership().slots(), nowNs(), out);
        if (!isNewcomer()) {
            core.freed(ExhaustiveRank.COMM_WORLD, nowNs(), out);
        }
    }

    boolean wentAway() {
        return wentAway;
    }

    /** Returns a broken property that shows in one process alone; null if there is none. */
    String broken() {
        if (fencedFor != null) {
            return "process " + id + " ends itself, though no process is suspected: " + fencedFor;
        }
        long communicator = communicator();
        if (communicator == 0) {
            return null;
        }
        long last = core.agreements().last(communicator);
        for (int slot : core.agreements().awaited(communicator, last).toArray()) {
            ProcessId awaited = core.membership(communicator).process(slot);
            if (core.failures().hasFailed(awaited)) {
                return "process " + id + " waits for " + awaited + ", which it knows to be dead: "
                        + core.agreements().describe(communicator, last);
            }
        }
        return null;
    }

    /** Returns the communicator that the process agrees on now; 0 between two worlds, or in none. */
    private long communicator() {
        if (admission == null) {
            return isNewcomer() ? 0 : ExhaustiveRank.COMM_WORLD;
        }
        return built ? admission.world() : 0;
    }

    ReplaceView view() {
        return new ReplaceView(
                id,
                admission,
                agreed,
                agreed != null || refused,
                core.isPending(),
                failed(),
                new TreeSet<>(known),
                new TreeSet<>(toldDead),
                new TreeSet<>(toldNoMore),
                toldPending,
                admission == null ? decidedUpTo() : Long.MAX_VALUE,
                admission == null ? 0 : built ? decidedUpTo() : 0,
                choices());
    }

    /**
     * Returns the processes marked failed, out of all processes that there can be in this world. The failure set's own
     * list would lack processes of earlier epochs whose mark was dropped.
     */
    private SortedSet<ProcessId> failed() {
        SortedSet<ProcessId> failed = new TreeSet<>();
        for (int slot = 0; slot <= ReplaceSmall.RANKS; slot++) {
            for (int incarnation = 0; incarnation < 2; incarnation++) {
                ProcessId process = new ProcessId(slot, incarnation);
                if (core.failures().hasFailed(process)) {
                    failed.add(process);
                }
            }
        }
        return failed;
    }

    private long decidedUpTo() {
        if (communicator() == 0) {
            return 0;
        }
        long last = core.agreements().last(communicator());
        return core.agreements().describe(communicator(), last) == null ? last : last - 1;
    }

    /** Returns the codes of the events that the process may cause by itself. */
    private int[] choices() {
        List<ReplaceEvent.What> may = new ArrayList<>();
        if (!isNewcomer() && !called) {
            may.add(ReplaceEvent.What.REPLACES);
        }
        if (admission != null && !built) {
            may.add(ReplaceEvent.What.BUILDS);
        }
        if (built && !entered) {
            may.add(ReplaceEvent.What.AGREES);
        }
        boolean isReplacing = called && admission == null && !refused;
        if (isReplacing && !late && !world.grows()) {
            may.add(ReplaceEvent.What.IS_LATE);
        }
        if (isReplacing && late && !core.awaitedSlots().isEmpty()) {
            may.add(ReplaceEvent.What.TICKS);
        }
        return may.stream().mapToInt(what -> ReplaceEvent.code(what, 0, 0)).toArray();
    }

    @Override
    public Contact contact(ProcessId process) {
        return contactOf(process);
    }

    @Override
    public void introduce(Contact contact) {
        known.add(contact.process());
    }

    @Override
    public CommunicatorIds ids() {
        return IDS;
    }

    @Override
    public void changeEnded(long communicator, ChangeOutcome outcome) {
        if (outcome instanceof ChangeOutcome.Admitted admitted) {
            enters(admitted.admission());
        } else if ((world.grows()
                        ? outcome instanceof ChangeOutcome.Unchanged
                        : outcome instanceof ChangeOutcome.Incomplete)
                && !refused) {
            refused = true;
        } else {
            throw new Violation("the call ends with " + outcome);
        }
    }

    @Override
    public void welcomed(Admission told) {
        enters(told);
    }

    private void enters(Admission entered) {
        if (admission != null || refused) {
            throw new Violation("the call returned twice");
        }
        admission = entered;
    }

    @Override
    public void goneOnWithout(String why) {
        wentAway = true;
    }

    @Override
    public void decided(long communicator, long sequence, Decision decision) {
        if (admission == null || communicator != admission.world() || agreed != null) {
            throw new Violation("agreement " + sequence + " returned twice, or was never entered");
        }
        agreed = decision;
    }

    @Override
    public void fenced(String reason) {
        fencedFor = reason;
    }

    @Override
    public void drain(ProcessId process) {
        toDrain.add(process);
    }

    @Override
    public void failed(ProcessId process, Evidence evidence) {
        toDrain.remove(process);
    }

    /** Never called: the clock never reaches a time at which the detector would report a silence. */
    @Override
    public void silent(ProcessId process) {}

    /** Never called: the detector reports no silence here, so none ends. */
    @Override
    public void heard(ProcessId process) {}

    @Override
    public void departed(ProcessId process) {
        throw new Violation("no process has said goodbye, and " + process + " departed");
    }

    @Override
    public void revoked(long communicator) {
        throw new Violation("a revocation that no process called for");
    }

    @Override
    public Collection<ProcessId> peersWithSession() {
        return List.of();
    }

    @Override
    public String toString() {
        return core.toString();
    }
}
