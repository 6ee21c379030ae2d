package org.ulfmj.check.grow;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.ulfmj.agree.SurvivorCore;
import org.ulfmj.agree.message.Contact;
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
 * One simulated process: a founder, a replacement that waits for its slot, or a joiner that has no slot. A founder and
 * a replacement have a seat, which is the process under one name, from the start; a joiner gets one from the first
 * message that is meant for it, which names it. To a message under another name the process answers that it is not that
 * process.
 */
public final class GrowProcess implements Member, Protocol<Integer, Letter> {
    /** What the launcher tells a process. */
    private interface News {
        void reach(GrowSeat seat, long nowNs, Outbox<Integer, Letter> out);
    }

    private final GrowWorld world;
    private final long nonce;
    private final SimProcess<Integer, Letter> process;
    private final SeededRandom random;
    private final boolean isJoiner;
    private final List<Runnable> afterStep = new ArrayList<>();
    /**
     * News of the launcher that a joiner did not take while it waited. The launcher repeats the news once the joiner is
     * in a world.
     */
    private final List<News> missed = new ArrayList<>();

    private final Set<Long> heardOf = new TreeSet<>();
    /** The seat of this process under the name that it was given; null while it has no name. */
    private GrowSeat named;

    private boolean saidGoodbye;
    private JoinLauncher launcher;

    GrowProcess(GrowWorld world, ProcessId id, long nonce, SimProcess<Integer, Letter> process) {
        this.world = world;
        this.nonce = nonce;
        this.process = process;
        this.random = world.simulation().random("program " + process.node());
        process.afterStep(this::runAfterStep);
        isJoiner = id == null;
        if (isJoiner) {
            return;
        }
        boolean isFounder = world.first().contains(id);
        named = new GrowSeat(this, id, isFounder ? world.first() : null);
        named.take(
                isFounder
                        ? new SurvivorCore(id, world.first(), Pace.TIMING, named, process.clockNs())
                        : newcomerCore(id, named));
    }

    private SurvivorCore newcomerCore(ProcessId name, GrowSeat seat) {
        return SurvivorCore.newcomer(name, nonce, Pace.TIMING, false, seat, process.clockNs());
    }

    /** Starts a founder, or a replacement, and tells it the contacts of the founders. */
    public void start(JoinLauncher newLauncher, List<Contact> founders) {
        launcher = newLauncher;
        founders.forEach(named::learn);
        named.learn(contact(named.name()));
        process.start(this, named::start);
    }

    /** Starts a joiner, which waits until a member's message names it. */
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
        return isJoiner;
    }

    /** The seat of this process in a world; null while it waits. */
    public GrowSeat seat() {
        return named == null || named.membership() == null ? null : named;
    }

    /** Whether the process runs and is in a world. */
    public boolean isMember() {
        return isRunning() && seat() != null;
    }

    /**
     * Whether this process has come into a world and has marked another process failed, under any name by which it
     * knows that process.
     */
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
        boolean isNamed = named != null && (!isJoiner || named.membership() != null);
        return isNamed ? named.name() : ProcessId.of(1_000 + process.node());
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
        hears("told", gone.process.node(), null, (seat, nowNs, out) -> seat.learnOfEnd(gone, nowNs, out));
    }

    /** Takes news of the launcher. */
    private void hears(String verb, int about, Object detail, News news) {
        process.input(verb, about, detail, (nowNs, out) -> {
            if (isJoiner && seat() == null) {
                missed.add(news);
            } else {
                news.reach(named, nowNs, out);
            }
        });
    }

    /** The launcher repeats the news that it told this joiner while the joiner waited. */
    void hearsAgain() {
        process.input("told again", EventLog.NO_PROCESS, null, (nowNs, out) -> {
            for (News news : missed) {
                if (!named.core().isFenced()) {
                    news.reach(named, nowNs, out);
                }
            }
            missed.clear();
        });
    }

    /** Returns the evidence of the launcher that this process has ended; null if it had said goodbye. */
    Evidence evidence(ProcessId heardBy) {
        return saidGoodbye ? null : new Evidence(Evidence.Kind.CERTAIN, heardBy, "ended");
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
        if (isJoiner) {
            heardOf.add(joiner.nonce());
        }
        hears("waiting", EventLog.NO_PROCESS, joiner, (seat, nowNs, out) -> seat.core()
                .waiting(joiner));
    }

    /** Takes the news of the launcher that a process waits for a slot. */
    void hearsOf(Contact replacement) {
        hears("pending", EventLog.NO_PROCESS, replacement.process(), (seat, nowNs, out) -> seat.core()
                .pending(replacement, nowNs, seat.to(out)));
    }

    void hearsOfNoMore(int slot) {
        hears("no more", EventLog.NO_PROCESS, slot, (seat, nowNs, out) -> seat.core()
                .noMore(slot, "no restart is left", nowNs, seat.to(out)));
    }

    /** The job is over: if this process still waits, it ends. */
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
        if (letter.toNonce() == nonce && named == null) {
            begin(letter.to(), nowNs, out);
        }
        if (letter.toNonce() == nonce && letter.to().equals(named.name())) {
            named.onLetter(from, letter, nowNs, out);
            return;
        }
        if (isJoiner && letter.toNonce() == nonce) {
            simulation().cover(GrowEvents.TWO_NAMES);
        }
        simulation().cover(GrowEvents.NOT_ME);
        tellNotMe(from, letter);
    }

    /** G10: the first message that is meant for a joiner gives it its name. */
    private void begin(ProcessId name, long nowNs, Outbox<Integer, Letter> out) {
        named = new GrowSeat(this, name, null);
        named.take(newcomerCore(name, named));
        named.start(nowNs, out);
    }

    /**
     * G10: the link over which a message for another name came is refused, and the sender is told so a little later, if
     * its seat still has the name under which it sent.
     */
    private void tellNotMe(int node, Letter letter) {
        long delayNs = random.between(0, Pace.LONGEST_DELAY_NS);
        GrowProcess other = world.all().get(node);
        simulation()
                .at(
                        simulation().nowNs() + delayNs,
                        () -> other.process.input("refused", process.node(), letter.to(), (nowNs, out) -> {
                            if (letter.from().equals(other.named.name())) {
                                other.named.onNotMe(letter.to(), letter.toNonce(), nowNs, out);
                            }
                        }));
    }

    @Override
    public void onTick(long nowNs, Outbox<Integer, Letter> out) {
        if (named != null) {
            named.onTick(nowNs, out);
        }
    }

    @Override
    public long nextDeadlineNs() {
        return named == null ? Long.MAX_VALUE : named.nextDeadlineNs();
    }

    // What seats report.

    /** The process is in a world for the first time: the launcher repeats to a joiner what it missed. */
    void isPlaced() {
        if (isJoiner) {
            launcher.tellAgain(this);
            heardOf.retainAll(seat().admission().ancestry().past());
            if (!heardOf.isEmpty()) {
                simulation().cover(GrowEvents.OLD_NEWS);
            }
        }
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
        return (isJoiner ? "joiner " : "process ") + process.node() + " as " + id()
                + (isRunning() ? "" : " (" + process.end() + ")");
    }
}
