package org.ulfmj.check.grow;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.ulfmj.agree.SurvivorCore;
import org.ulfmj.agree.Unplaced;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Joiner;
import org.ulfmj.check.detector.Member;
import org.ulfmj.check.detector.Pace;
import org.ulfmj.detector.Evidence;
import org.ulfmj.detector.FailureSet;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Protocol;
import org.ulfmj.sim.EventLog;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;

/**
 * One process: a founder, a replacement that waits for a slot, or a joiner that has none. It has one seat per name, so
 * a founder or a replacement has one, and a joiner has none at first.
 */
public final class GrowProcess implements Member, Protocol<Integer, Letter> {
    private final GrowWorld world;
    private final long nonce;
    private final SimProcess<Integer, Letter> process;
    private final SeededRandom random;
    private final SortedMap<ProcessId, GrowSeat> seats = new TreeMap<>();
    private final Unplaced unplaced;
    private final List<Runnable> afterStep = new ArrayList<>();
    private final Set<Long> heardOf = new TreeSet<>();
    private boolean saidGoodbye;
    private JoinLauncher launcher;

    GrowProcess(GrowWorld world, ProcessId id, long nonce, SimProcess<Integer, Letter> process) {
        this.world = world;
        this.nonce = nonce;
        this.process = process;
        this.random = world.simulation().random("program " + process.node());
        process.afterStep(this::runAfterStep);
        if (id == null) {
            unplaced = new Unplaced(nonce, this::newcomer);
        } else {
            unplaced = null;
            boolean isFounder = world.first().contains(id);
            GrowSeat seat = new GrowSeat(this, id, isFounder ? world.first() : null);
            seat.take(
                    isFounder
                            ? new SurvivorCore(id, world.first(), Pace.TIMING, seat, process.clockNs())
                            : newcomerCore(id, seat));
            seats.put(id, seat);
        }
    }

    private SurvivorCore newcomer(ProcessId name) {
        GrowSeat seat = new GrowSeat(this, name, null);
        seat.take(newcomerCore(name, seat));
        seats.put(name, seat);
        return seat.core();
    }

    private SurvivorCore newcomerCore(ProcessId name, GrowSeat seat) {
        return SurvivorCore.newcomer(name, nonce, Pace.TIMING, false, seat, process.clockNs());
    }

    /** Starts a founder, or a replacement that knows the founders. */
    public void start(JoinLauncher newLauncher, List<Contact> founders) {
        launcher = newLauncher;
        GrowSeat seat = seats.get(seats.firstKey());
        founders.forEach(seat::learn);
        seat.learn(contact(seat.name()));
        process.start(this, (nowNs, out) -> seat.start(nowNs, out));
    }

    /** Starts a joiner: it waits until a member greets it. */
    public void join(JoinLauncher newLauncher) {
        launcher = newLauncher;
        process.start(this, (nowNs, out) -> {});
    }

    GrowWorld world() {
        return world;
    }

    JoinLauncher launcher() {
        return launcher;
    }

    Simulation simulation() {
        return world.simulation();
    }

    SeededRandom random() {
        return random;
    }

    public long nonce() {
        return nonce;
    }

    public boolean isJoiner() {
        return unplaced != null;
    }

    /** The seat of this process in a world; null while it waits. */
    public GrowSeat seat() {
        if (unplaced != null) {
            return unplaced.placed() == null ? null : seats.get(unplaced.placed());
        }
        GrowSeat only = seats.get(seats.firstKey());
        return only.membership() == null ? null : only;
    }

    /** Whether the process runs and is in a world. */
    public boolean isMember() {
        return isRunning() && seat() != null;
    }

    /** Whether this member has marked another process failed, under a name that it knows it by. */
    public boolean holdsForFailed(GrowProcess other) {
        GrowSeat seat = seat();
        return seat != null && seat.holdsForFailed(other.nonce);
    }

    Contact contact(ProcessId name) {
        return new Contact(name, nonce, new byte[] {(byte) process.node()});
    }

    /** This process as the launcher announces it. */
    Joiner joiner(int hostOrder) {
        return new Joiner(hostOrder, process.node(), nonce, new byte[] {(byte) process.node()});
    }

    @Override
    public ProcessId id() {
        GrowSeat seat = seat();
        if (seat != null) {
            return seat.name();
        }
        return unplaced == null ? seats.firstKey() : ProcessId.of(1_000 + process.node());
    }

    @Override
    public SimProcess<Integer, Letter> process() {
        return process;
    }

    @Override
    public FailureSet failures() {
        GrowSeat seat = seat();
        return seat == null ? new FailureSet() : seat.core().failures();
    }

    @Override
    public boolean isWatching() {
        return isMember() && !seat().core().isLeaving();
    }

    @Override
    public boolean hasLeft() {
        return saidGoodbye;
    }

    void leaves() {
        saidGoodbye = true;
        long lingersNs = random.between(0, 3 * world.pace().unitNs());
        simulation().faultAt(simulation().nowNs() + lingersNs, this::exit);
    }

    private void exit() {
        if (world.network().leave(process.node())) {
            process.end(SimProcess.End.LEFT);
        } else if (process.isRunning()) {
            simulation().faultAt(simulation().nowNs() + Pace.LONGEST_DELAY_NS / 10, this::exit);
        }
    }

    // Events from outside.

    @Override
    public void learnOfEnd(Member other) {
        GrowProcess gone = (GrowProcess) other;
        process.input("told", gone.process.node(), null, (nowNs, out) -> {
            if (unplaced != null) {
                unplaced.onEnd(gone.nonce, gone.evidence(id()), nowNs, outs(out));
                return;
            }
            for (GrowSeat seat : List.copyOf(seats.values())) {
                seat.learnOfEnd(gone, nowNs, out);
            }
        });
    }

    /** What the launcher knows of the end of this process; null if it had finalized. */
    Evidence evidence(ProcessId heardBy) {
        return saidGoodbye ? null : new Evidence(Evidence.Kind.CERTAIN, heardBy, "ended");
    }

    private Function<ProcessId, Outbox<ProcessId, ControlMessage>> outs(Outbox<Integer, Letter> out) {
        return name -> seats.get(name).to(out);
    }

    @Override
    public void suspect(ProcessId other) {
        process.input("suspects", EventLog.NO_PROCESS, other, (nowNs, out) -> {
            GrowSeat seat = seat();
            if (seat != null && seat.membership().contains(other)) {
                Evidence evidence = new Evidence(Evidence.Kind.SUSPECTED, seat.name(), "suspected");
                seat.core().onEvidence(other, evidence, nowNs, seat.to(out));
            }
        });
    }

    /** Takes the news of the launcher that a process without a slot waits. */
    void hearsOf(Joiner joiner) {
        process.input("waiting", EventLog.NO_PROCESS, joiner, (nowNs, out) -> {
            if (unplaced != null) {
                heardOf.add(joiner.nonce());
                unplaced.waiting(joiner);
                return;
            }
            seats.values().forEach(seat -> seat.core().waiting(joiner));
        });
    }

    /** Takes the news of the launcher that a process waits for a slot. */
    void hearsOf(Contact replacement) {
        process.input("pending", EventLog.NO_PROCESS, replacement.process(), (nowNs, out) -> {
            if (unplaced != null) {
                unplaced.pending(replacement, nowNs, outs(out));
                return;
            }
            for (GrowSeat seat : List.copyOf(seats.values())) {
                seat.core().pending(replacement, nowNs, seat.to(out));
            }
        });
    }

    void hearsOfNoMore(int slot) {
        process.input("no more", EventLog.NO_PROCESS, slot, (nowNs, out) -> {
            if (unplaced != null) {
                unplaced.noMore(slot, "no restart is left", nowNs, outs(out));
                return;
            }
            for (GrowSeat seat : List.copyOf(seats.values())) {
                seat.core().noMore(slot, "no restart is left", nowNs, seat.to(out));
            }
        });
    }

    /** The job is over: a process that waits goes. */
    void isSentAway() {
        process.input(
                "sent away",
                EventLog.NO_PROCESS,
                null,
                (nowNs, out) -> then(() -> {
                    if (seat() == null) {
                        simulation().cover(GrowEvents.SENT_AWAY);
                        process.end(SimProcess.End.LEFT);
                    }
                }));
    }

    // Messages and time.

    @Override
    public void onMessage(Integer from, Letter letter, long nowNs, Outbox<Integer, Letter> out) {
        GrowSeat seat = addressed(letter, nowNs, out);
        if (seat == null) {
            simulation().cover(GrowEvents.NOT_ME);
            tellNotMe(from, letter);
        } else {
            seat.onLetter(from, letter, nowNs, out);
        }
    }

    /** G10: the link is refused, and the process that opened it is told so. */
    private void tellNotMe(int node, Letter letter) {
        long delayNs = random.between(0, Pace.LONGEST_DELAY_NS);
        GrowProcess other = world.all().get(node);
        simulation()
                .at(
                        simulation().nowNs() + delayNs,
                        () -> other.process.input("refused", process.node(), letter.to(), (nowNs, out) -> {
                            GrowSeat seat = other.seats.get(letter.from());
                            if (seat != null) {
                                seat.onNotMe(letter.to(), letter.toNonce(), nowNs, out);
                            }
                        }));
    }

    private GrowSeat addressed(Letter letter, long nowNs, Outbox<Integer, Letter> out) {
        if (unplaced == null) {
            return letter.toNonce() == nonce ? seats.get(letter.to()) : null;
        }
        SurvivorCore core =
                unplaced.greeted(letter.to(), letter.toNonce(), nowNs, (to, message) -> seats.get(letter.to())
                        .to(out)
                        .send(to, message));
        if (seats.size() > 1) {
            simulation().cover(GrowEvents.TWO_NAMES);
        }
        return core == null ? null : seats.get(letter.to());
    }

    @Override
    public void onTick(long nowNs, Outbox<Integer, Letter> out) {
        for (GrowSeat seat : List.copyOf(seats.values())) {
            seat.onTick(nowNs, out);
        }
    }

    @Override
    public long nextDeadlineNs() {
        long nextNs = Long.MAX_VALUE;
        for (GrowSeat seat : seats.values()) {
            nextNs = Math.min(nextNs, seat.nextDeadlineNs());
        }
        return nextNs;
    }

    // What seats report.

    /** A seat is in a world for the first time: the process has its slot. */
    void isPlaced(ProcessId name) {
        if (unplaced != null) {
            unplaced.isPlaced(name);
            seats.keySet().removeIf(other -> !other.equals(name));
            heardOf.retainAll(seat().admission().ancestry().past());
            if (!heardOf.isEmpty()) {
                simulation().cover(GrowEvents.OLD_NEWS);
            }
        }
    }

    /** The core of a seat has ended. */
    void hasEnded(ProcessId name, SimProcess.End how) {
        if (unplaced != null && unplaced.placed() == null) {
            seats.remove(name);
            if (!unplaced.hasEnded(name)) {
                return;
            }
        }
        process.end(how);
    }

    void log(String verb, Object detail) {
        simulation().log().add(simulation().nowNs(), process.node(), verb, EventLog.NO_PROCESS, detail);
    }

    void then(Runnable effect) {
        afterStep.add(effect);
    }

    private void runAfterStep() {
        List<Runnable> pending = List.copyOf(afterStep);
        afterStep.clear();
        for (Runnable effect : pending) {
            if (process.isRunning()) {
                effect.run();
            }
        }
    }

    @Override
    public String toString() {
        return (unplaced == null ? "process " : "joiner ") + process.node() + " as " + id()
                + (isRunning() ? "" : " (" + process.end() + ")");
    }
}
