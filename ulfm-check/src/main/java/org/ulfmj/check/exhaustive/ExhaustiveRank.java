package org.ulfmj.check.exhaustive;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.agree.Effects;
import org.ulfmj.agree.ShrinkOutcome;
import org.ulfmj.agree.SurvivorCore;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Digest64;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.Timing;
import org.ulfmj.sim.Violation;

/** One rank of a small world: the shipped core, and a program that calls the core. No time passes. */
final class ExhaustiveRank implements Effects {
    /** The id of COMM_WORLD. */
    static final long COMM_WORLD = 0x3081;

    /** The id of the first communicator that a program makes. The next one has this number plus one. */
    static final long MADE = 0x3090;

    /** A limit above the number of communicators in any world, so that housekeeping never starts by itself. */
    private static final int NEVER = 1000;

    /** Whether a communicator is one of those that a program makes and may free. */
    static boolean isMade(long communicator) {
        return communicator == MADE || communicator == MADE + 1;
    }

    private static final Timing TIMING = Timing.fromTimeout(1_000_000_000L);
    private static final byte[] SECRET = new byte[32];

    private final ProcessId id;
    private final SurvivorCore core;
    private final SortedMap<Facts.Call, Facts.Entry> entries = new TreeMap<>();
    private final SortedMap<Facts.Call, Decision> decisions = new TreeMap<>();
    private final SortedMap<Long, SlotRuns> communicators = new TreeMap<>();
    private final SortedSet<Long> revoked = new TreeSet<>();
    private final SortedSet<Long> revokes = new TreeSet<>();
    private final SortedSet<Long> freed = new TreeSet<>();
    private final SortedSet<Long> forgotten = new TreeSet<>();
    private final SortedSet<ProcessId> toDrain = new TreeSet<>();

    /** The communicators that the rank has revoked, or that count as revoked since it took a message about that. */
    private final SortedSet<Long> revocations = new TreeSet<>();

    /** The communicator that the program now agrees on, shrinks and revokes; Finalize always takes COMM_WORLD. */
    private long communicator = COMM_WORLD;

    /** A shrunk communicator that was agreed on and is not built yet; null if there is none. */
    private ShrinkOutcome toBuild;

    private int nextAct;
    private boolean fenced;

    ExhaustiveRank(int slot, Membership membership) {
        id = ProcessId.of(slot);
        core = new SurvivorCore(id, membership, TIMING, this, 0);
    }

    void start(World world, Membership membership, Outbox<ProcessId, ControlMessage> out) {
        if (world.beats()) {
            core.start(0, out);
        }
        communicators.put(COMM_WORLD, membership.slots());
        core.register(COMM_WORLD, membership.slots(), 0, out);
        core.keepHouseAt(world.housekeepers().contains(id.slot()) ? 1 : NEVER);
    }

    SurvivorCore core() {
        return core;
    }

    /**
     * Carries out an event.
     *
     * @param message the message that arrives; null if none does
     */
    void run(World world, LocalEvent event, ControlMessage message, Outbox<ProcessId, ControlMessage> out) {
        ProcessId other = ProcessId.of(event.other());
        switch (event.what()) {
            case GETS -> {
                core.onMessage(other, message, 0, out);
                if (message instanceof ControlMessage.Revoke revoke && core.isRevoked(revoke.communicator())) {
                    revocations.add(revoke.communicator());
                }
            }
            case CALLS -> call(world, world.program().get(nextAct++), event.detail() == 1, out);
            case BUILDS -> build(out);
            case REVOKES -> revoke(revocable(world), out);
            case LEARNS -> {
                core.onEvidence(other, new Evidence(Evidence.Kind.CERTAIN, id, "ended"), 0, out);
                drained(other, out);
            }
            case DRAINED -> drained(other, out);
            case SUSPECTS -> core.onEvidence(other, new Evidence(Evidence.Kind.SUSPECTED, id, "suspected"), 0, out);
            case DEPARTED -> core.onDeparted(other, 0, out);
            default -> throw new IllegalStateException("not for a rank to do: " + event);
        }
    }

    private void drained(ProcessId dead, Outbox<ProcessId, ControlMessage> out) {
        toDrain.remove(dead);
        core.onDrained(dead, 0, out);
    }

    private void call(World world, World.Act act, boolean acknowledges, Outbox<ProcessId, ControlMessage> out) {
        if (act == World.Act.REVOKE) {
            revoke(communicator, out);
            return;
        }
        if (act == World.Act.MAKE) {
            long made = MADE + communicators.size() - 1 + freed.size();
            communicators.put(made, communicators.get(COMM_WORLD));
            core.register(made, communicators.get(COMM_WORLD), 0, out);
            return;
        }
        if (act == World.Act.FREE) {
            // So that the orders differ: of the communicators that they made and have not freed, ranks in even slots
            // free the first one, ranks in odd slots the last one.
            long last = communicators.lastKey();
            long first = communicators.tailMap(MADE).firstKey();
            free(id.slot() % 2 == 0 ? first : last, out);
            return;
        }
        if (act == World.Act.FREE_BUT_LAST) {
            if (id.slot() < world.ranks() - 1) {
                free(MADE, out);
            }
            return;
        }
        boolean isOfGroups = act == World.Act.AGREE_OF_GROUPS;
        Kind kind = isOfGroups ? Kind.AGREE : Kind.valueOf(act.name());
        long target = kind == Kind.FINALIZE ? COMM_WORLD : communicator;
        SlotSet known = failed();
        SlotSet acknowledged = kind == Kind.FINALIZE || kind == Kind.SHRINK
                ? SlotSet.ALL
                : world.acknowledgements() == World.Acknowledgements.ALL
                        ? SlotSet.ALL
                        : acknowledges ? known : SlotSet.EMPTY;
        Facts.Call call = new Facts.Call(target, core.agreements().last(target) + 1);
        entries.put(call, new Facts.Entry(acknowledged, memberSlots(known, communicators.get(target))));
        int flag = flagOf(id.slot());
        Contribution mine = isOfGroups
                ? Contribution.ofGroup(kind, flag, world.isOfFirstGroup(id.slot()), acknowledged)
                : new Contribution(kind, flag, acknowledged);
        core.enter(target, mine, 0, out);
    }

    private void free(long target, Outbox<ProcessId, ControlMessage> out) {
        communicators.remove(target);
        freed.add(target);
        core.freed(target, 0, out);
    }

    /** Returns the flag that a rank contributes: all ones but its own bit. */
    static int flagOf(int slot) {
        return ~(1 << slot);
    }

    private static SlotSet memberSlots(SlotSet slots, SlotRuns members) {
        SlotSet in = SlotSet.EMPTY;
        for (int slot : slots.toArray()) {
            in = members.contains(slot) ? in.with(slot) : in;
        }
        return in;
    }

    private void revoke(long target, Outbox<ProcessId, ControlMessage> out) {
        revokes.add(target);
        revocations.add(target);
        core.revoke(target, 0, out);
        if (!core.isRevoked(target)) {
            throw new Violation("revoke returned, and the communicator is not revoked here");
        }
    }

    private void build(Outbox<ProcessId, ControlMessage> out) {
        ShrinkOutcome shrunk = toBuild;
        toBuild = null;
        communicators.put(shrunk.id(), shrunk.members());
        communicator = shrunk.id();
        core.register(shrunk.id(), shrunk.members(), 0, out);
    }

    /** Returns the events that the rank may cause by itself now, as codes. */
    List<Integer> choices(World world) {
        List<Integer> choices = new ArrayList<>();
        if (core.isFenced()) {
            return choices;
        }
        if (core.isLeaving()) {
            choices.add(LocalEvent.code(LocalEvent.What.EXITS, 0, 0));
            return choices;
        }
        for (ProcessId dead : toDrain) {
            if (!core.failures().isGone(dead)) {
                choices.add(LocalEvent.code(LocalEvent.What.DRAINED, dead.slot(), 0));
            }
        }
        if (toBuild != null) {
            choices.add(LocalEvent.code(LocalEvent.What.BUILDS, 0, 0));
        } else if (nextAct < world.program().size() && mayCall(world.program().get(nextAct))) {
            choices.add(LocalEvent.code(LocalEvent.What.CALLS, 0, 0));
            if (world.acknowledgements() == World.Acknowledgements.ALL_OR_NONE && !failed().isEmpty()) {
                choices.add(LocalEvent.code(LocalEvent.What.CALLS, 0, 1));
            }
        }
        long revocable = revocable(world);
        if (world.revokers().contains(id.slot())
                && communicators.containsKey(revocable)
                && !revokes.contains(revocable)) {
            choices.add(LocalEvent.code(LocalEvent.What.REVOKES, 0, 0));
        }
        return choices;
    }

    /**
     * Returns the communicator that a rank revokes in an event REVOKES, besides the calls of its program: the first one
     * that the program makes, or COMM_WORLD if the program makes none.
     */
    static long revocable(World world) {
        return world.program().contains(World.Act.MAKE) ? MADE : COMM_WORLD;
    }

    /**
     * Whether the agreements that the rank has entered allow its next call. A non-blocking agreement may begin while
     * they are open; any other call begins only when all of them have returned.
     */
    private boolean mayCall(World.Act act) {
        return act == World.Act.IAGREE || decisions.size() == entries.size();
    }

    Facts facts(World world) {
        SortedSet<Facts.Call> dropped = new TreeSet<>();
        for (Facts.Call call : decisions.keySet()) {
            if (core.agreements().storedDecision(call.communicator(), call.sequence()) == null) {
                dropped.add(call);
            }
        }
        boolean finished = nextAct == world.program().size() && decisions.size() == entries.size() && toBuild == null;
        return new Facts(
                core.isFenced() ? Facts.Status.FENCED : Facts.Status.RUNNING,
                failed(),
                new TreeMap<>(entries),
                new TreeMap<>(decisions),
                firstHalves(world),
                dropped,
                new TreeMap<>(communicators),
                new TreeSet<>(revoked),
                new TreeSet<>(revokes),
                new TreeSet<>(freed),
                new TreeSet<>(forgotten),
                cameBack(),
                finished,
                core.isLeaving(),
                core.ring().emitter(),
                new TreeSet<>(core.ring().observers()));
    }

    private SortedSet<Long> cameBack() {
        SortedSet<Long> cameBack = new TreeSet<>();
        for (long over : forgotten) {
            if (core.isRevoked(over)) {
                cameBack.add(over);
            }
        }
        return cameBack;
    }

    private SortedMap<Facts.Call, Decision> firstHalves(World world) {
        SortedMap<Facts.Call, Decision> firstHalves = new TreeMap<>();
        for (Facts.Call call : entries.keySet()) {
            Decision stored = core.agreements().storedDecision(call.communicator(), call.sequence());
            Decision decision = decisions.getOrDefault(call, stored);
            if (decision != null && world.program().contains(World.Act.AGREE_UNIFORM)) {
                firstHalves.put(call, decision);
            }
        }
        return firstHalves;
    }

    SlotSet failed() {
        SlotSet failed = SlotSet.EMPTY;
        for (ProcessId process : core.failures().failedInOrder()) {
            failed = failed.with(process.slot());
        }
        return failed;
    }

    /** Returns what the search reads of this rank in its present state. */
    View view(World world) {
        int[] choices = choices(world).stream().mapToInt(Integer::intValue).toArray();
        SlotSet gone = SlotSet.EMPTY;
        for (int slot = 0; slot < world.ranks(); slot++) {
            gone = core.failures().isGone(ProcessId.of(slot)) ? gone.with(slot) : gone;
        }
        SlotSet heardOf = SlotSet.EMPTY;
        for (ProcessId dead : toDrain) {
            heardOf = heardOf.with(dead.slot());
        }
        return new View(id, facts(world), gone, heardOf, new TreeSet<>(revocations), core.isLeaving(), choices);
    }

    /** Returns a broken property that shows in this rank alone; null if there is none. */
    String broken() {
        for (Facts.Call call : entries.keySet()) {
            String open = core.agreements().describe(call.communicator(), call.sequence());
            if (decisions.containsKey(call) == (open != null) && !core.isFenced()) {
                return "agreement " + call.sequence() + " is " + (open == null ? "neither open nor" : "open and")
                        + " decided";
            }
            if (open != null && !core.isFenced()) {
                for (int slot : core.agreements()
                        .awaited(call.communicator(), call.sequence())
                        .toArray()) {
                    if (core.failures().isGone(ProcessId.of(slot))) {
                        return "it waits for " + slot + ", which it knows to be gone: " + open;
                    }
                }
            }
        }
        return null;
    }

    /** Never called: no time passes here. A suspicion is a separate event, SUSPECTS. */
    @Override
    public void silent(ProcessId process) {}

    /** Never called: no time passes here, so the detector reports no silence, and none ends. */
    @Override
    public void heard(ProcessId process) {}

    @Override
    public void forgotten(long ofCommunicator) {
        forgotten.add(ofCommunicator);
    }

    @Override
    public void drain(ProcessId process) {
        toDrain.add(process);
    }

    @Override
    public void failed(ProcessId process, Evidence evidence) {
        toDrain.remove(process);
    }

    /** Does nothing: the core itself knows which processes have departed. */
    @Override
    public void departed(ProcessId process) {}

    @Override
    public void revoked(long ofCommunicator) {
        if (!revoked.add(ofCommunicator)) {
            throw new Violation("told twice that a communicator is revoked");
        }
    }

    @Override
    public void decided(long ofCommunicator, long sequence, Decision decision) {
        Facts.Call call = new Facts.Call(ofCommunicator, sequence);
        if (!entries.containsKey(call) || decisions.put(call, decision) != null) {
            throw new Violation("agreement " + sequence + " returned twice, or was never entered");
        }
        if (decision.isOnly(Kind.SHRINK)) {
            toBuild = ShrinkOutcome.of(
                    new CommunicatorIds(new Digest64(SECRET)),
                    ofCommunicator,
                    sequence,
                    communicators.get(ofCommunicator),
                    decision.failed());
            toBuild.requireKept(id.slot(), entries.get(call).failedBefore());
        }
    }

    @Override
    public void fenced(String reason) {
        if (fenced) {
            throw new Violation("fenced twice");
        }
        fenced = true;
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
