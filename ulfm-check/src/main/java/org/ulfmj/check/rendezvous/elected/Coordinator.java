package org.ulfmj.check.rendezvous.elected;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Protocol;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.RendezvousCore;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.ServerListener;
import org.ulfmj.rendezvous.elect.Candidate;
import org.ulfmj.rendezvous.elect.Elected;
import org.ulfmj.rendezvous.elect.Election;
import org.ulfmj.rendezvous.elect.ElectionKeys;
import org.ulfmj.rendezvous.elect.ElectionListener;
import org.ulfmj.rendezvous.elect.EtcdReply;
import org.ulfmj.rendezvous.elect.EtcdRequest;
import org.ulfmj.rendezvous.elect.HeldSteps;
import org.ulfmj.rendezvous.elect.Muteness;
import org.ulfmj.rendezvous.elect.StateKeeper;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.server.HeldListener;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.Violation;

/** A candidate for the coordinator's office: the launcher, or a process that may take its place. */
class Coordinator implements Protocol<Integer, Line>, ElectionListener, StateKeeper, ServerListener {
    /** How many times at most the launcher starts another process in the same slot. */
    private static final int RESTARTS = 2;

    private final Simulation world;
    private final RunSpec run;
    private final boolean isLauncher;
    private final SimProcess<Integer, Line> process;
    private final Etcd etcd;
    private final Witness witness;
    private final Consumer<ProcessId> starter;
    private final BiConsumer<ProcessId, String> killer;
    private final Election election;

    /** The number of each member's newest connection to this process on which a message came. */
    private final SortedMap<Integer, Integer> connections = new TreeMap<>();

    /** Inputs that are still to be handled; they wait while it is not certain that this process has the office. */
    private final Deque<Runnable> unread = new ArrayDeque<>();

    /** The processes whose end this candidate has seen. */
    private final SortedSet<ProcessId> ended = new TreeSet<>();

    private final SortedSet<ProcessId> startedAgain = new TreeSet<>();
    private final SortedSet<ProcessId> said = new TreeSet<>();

    /** Null while this process has no office. */
    private RendezvousCore core;

    private HeldSteps held;
    private Muteness muteness;
    private long term;
    private boolean isStored;
    private int lastRequest;
    private long requestDueNs = Long.MAX_VALUE;

    /**
     * The deadline that passed while this process stood still. Until {@link #readUntilNs} it first reads messages,
     * before it acts on that deadline.
     */
    private long overdueNs;

    private long readUntilNs;
    private long nowNs;
    private Outbox<Integer, Line> out;

    /**
     * @param starter starts the next process of a slot
     * @param killer ends a process, for a reason in words
     */
    Coordinator(
            Simulation world,
            RunSpec run,
            boolean isLauncher,
            ElectionKeys keys,
            SimProcess<Integer, Line> process,
            Etcd etcd,
            Witness witness,
            Consumer<ProcessId> starter,
            BiConsumer<ProcessId, String> killer) {
        this.world = world;
        this.run = run;
        this.isLauncher = isLauncher;
        this.process = process;
        this.etcd = etcd;
        this.witness = witness;
        this.starter = starter;
        this.killer = killer;
        Candidate me = new Candidate(isLauncher, Times.TTL_SECONDS, Times.POLL_NS, Times.RETRY_NS);
        this.election = new Election(keys, me, this);
    }

    SimProcess<Integer, Line> process() {
        return process;
    }

    boolean isLauncher() {
        return isLauncher;
    }

    int node() {
        return process.node();
    }

    /** The phase of the rendezvous, which this process coordinates. */
    RendezvousCore.Phase phase() {
        return core.phase();
    }

    /** Whether this process has the office in etcd, and does not only believe so. */
    boolean isInOffice() {
        return process.isRunning() && core != null && election.term() == etcd.term();
    }

    void start() {
        process.start(this, this::step);
    }

    /** This candidate sees that a process has ended. */
    void learnOfEnd(ProcessId id) {
        process.input("told of the end of", id.slot(), id, (stepNs, stepOut) -> {
            ended.add(id);
            step(stepNs, stepOut);
        });
    }

    @Override
    public void onMessage(Integer from, Line line, long stepNs, Outbox<Integer, Line> stepOut) {
        begin(stepNs, stepOut);
        if (line.kind() == Line.Kind.ANSWERED) {
            if (line.number() == lastRequest && requestDueNs != Long.MAX_VALUE) {
                requestDueNs = Long.MAX_VALUE;
                election.answer(line.reply(), nowNs);
            }
        } else {
            connections.merge(from, line.number(), Math::max);
            unread.add(() -> take(from, line));
        }
        goOn();
    }

    @Override
    public void onTick(long stepNs, Outbox<Integer, Line> stepOut) {
        step(stepNs, stepOut);
    }

    final void step(long stepNs, Outbox<Integer, Line> stepOut) {
        begin(stepNs, stepOut);
        goOn();
    }

    private void begin(long stepNs, Outbox<Integer, Line> stepOut) {
        nowNs = stepNs;
        out = stepOut;
        if (nowNs >= requestDueNs) {
            requestDueNs = Long.MAX_VALUE;
            election.answer(new EtcdReply.Unknown(), nowNs);
        }
    }

    private boolean isHeld(long atNs) {
        return new Elected(this, null, false, 0, election::heldUntilNs).isHeld(atNs);
    }

    private void goOn() {
        if (core == null) {
            unread.forEach(Runnable::run);
            unread.clear();
            connections.clear();
        } else if (isHeld(nowNs)) {
            act();
        } else {
            tellCore(muteness.stoodStill());
        }
        EtcdRequest request = election.next(nowNs);
        if (request != null) {
            lastRequest++;
            requestDueNs = nowNs + Times.REQUEST_NS;
            out.send(Etcd.NODE, Line.asked(lastRequest, request, election.term()));
        }
    }

    private void act() {
        tellCore(muteness.look(held.isHolding(), nowNs));
        for (Runnable input = unread.poll(); input != null; input = unread.poll()) {
            input.run();
        }
        tell(core, nowNs, this::hold);
        if (!hasToRead()) {
            core.onTick(nowNs, this::hold);
        }
        if (isStored) {
            isStored = false;
            held.stored();
        }
        held.settle();
        tellCore(muteness.look(held.isHolding(), nowNs));
    }

    /** Tells the core, without repeating it, what this process has seen by itself: the ends of processes. */
    void tell(RendezvousCore present, long atNs, Outbox<Long, RendezvousMessage> messages) {
        for (ProcessId id : ended) {
            if (said.add(id)) {
                present.onEnded(id, "ended", atNs, messages);
                startNext(id);
            }
        }
    }

    /**
     * Whether this process has stood still beyond a deadline of the core and is still to read messages before it lets
     * the core look at the time.
     */
    private boolean hasToRead() {
        long dueNs = core.nextDeadlineNs();
        if (dueNs != overdueNs && dueNs < nowNs - Times.MS) {
            overdueNs = dueNs;
            readUntilNs = nowNs + Times.MS;
        }
        return nowNs < readUntilNs;
    }

    private void tellCore(Muteness.Change change) {
        if (change == Muteness.Change.BEGINS) {
            core.onMuted();
        } else if (change == Muteness.Change.ENDS) {
            core.onUnmuted(nowNs, this::hold);
        }
    }

    /**
     * C9: the launcher starts the next process of a slot once the state that allows it is stored, if a restart is left.
     * Without effect at another candidate.
     */
    private void startNext(ProcessId id) {
        if (!isLauncher) {
            return;
        }
        ProcessId next = new ProcessId(id.slot(), id.incarnation() + 1);
        if (next.incarnation() > RESTARTS) {
            core.onNoMore(id.slot(), "no restart is left", nowNs, this::hold);
        } else if (!startedAgain.contains(next)) {
            core.onRestartAllowed(next);
            held.hold(() -> {
                requireOffice("starts " + next);
                startedAgain.add(next);
                starter.accept(next);
            });
        }
    }

    private void take(int from, Line line) {
        if (core == null) {
            out.send(from, Line.closed(line.number()));
        } else if (line.number() == connections.get(from)) {
            witness.takes(from, line.message());
            core.onMessage((long) from, line.message(), nowNs, this::hold);
        }
    }

    private void hold(long nonce, RendezvousMessage message) {
        held.hold(() -> say(nonce, message));
    }

    private void say(long nonce, RendezvousMessage message) {
        requireOffice("says " + message + " to process " + nonce);
        witness.says(message);
        int member = (int) nonce;
        Integer connection = connections.get(member);
        if (connection != null) {
            out.send(member, Line.said(connection, message));
        }
    }

    /** C5: checks that this process has the office in etcd now that it sends a message, or starts or ends a process. */
    private void requireOffice(String what) {
        if (etcd.term() != term) {
            throw new Violation("only the one in office acts: " + process + " of term " + term + " " + what
                    + ", the office is that of term " + etcd.term());
        }
    }

    @Override
    public long nextDeadlineNs() {
        long deadlineNs = Math.min(requestDueNs, election.nextDeadlineNs());
        return core != null && isHeld(process.clockNs())
                ? Math.min(deadlineNs, Math.max(readUntilNs, core.nextDeadlineNs()))
                : deadlineNs;
    }

    @Override
    public void onElected(byte[] image) {
        if (image == null && !isLauncher) {
            election.layDown("there is no job yet");
            return;
        }
        term = election.term();
        held = new HeldSteps(this, image, () -> core.image());
        muteness = new Muteness(Times.SILENCE_NS);
        ServerListener listener = new HeldListener(this, held);
        core = image == null
                ? new RendezvousCore(run, listener)
                : RendezvousCore.restored(image, listener, 0, true, Times.FIND_NS, nowNs);
        if (image != null) {
            core.onHidden();
        }
        isStored = false;
        said.clear();
        election.announce(Integer.toString(node()));
        world.cover(image == null ? "the job began" : isLauncher ? "the launcher went on" : "a stand-in went on");
    }

    @Override
    public void store(byte[] image) {
        election.store(image);
    }

    @Override
    public void onStored() {
        isStored = true;
    }

    @Override
    public void onDeposed(String why) {
        if (core == null) {
            return;
        }
        world.cover("deposed");
        held.over();
        core = null;
        unread.clear();
        connections.forEach((member, connection) -> out.send(member, Line.closed(connection)));
        connections.clear();
    }

    @Override
    public void onFindable(boolean isFindable) {
        unread.add(() -> show(isFindable));
    }

    private void show(boolean isFindable) {
        if (core == null) {
            return;
        }
        if (isFindable) {
            core.onShown(nowNs, this::hold);
        } else {
            core.onHidden();
        }
    }

    @Override
    public void onCoordinator(String address, long itsTerm) {}

    @Override
    public void onFinished() {}

    @Override
    public void onJoined(ProcessId joined) {}

    @Override
    public void onFinal() {}

    @Override
    public void onClosed(OutReason reason, String text) {}

    @Override
    public void onGoodbye(ProcessId from, SlotSet heldForFailed) {}

    @Override
    public void onReached(ProcessId from, int rule) {}

    @Override
    public void onSilent(ProcessId silent, long nonce, String reason) {
        requireOffice("ends " + silent);
        kill(silent, nonce, reason);
    }

    /** Has a process ended, as SIGKILL ends it. */
    void kill(ProcessId silent, long nonce, String reason) {
        killer.accept(silent, reason);
    }

    @Override
    public void onFenced(ProcessId fenced, String reason) {}

    @Override
    public void onAbort(ProcessId by, int code, String reason) {}

    @Override
    public void onBroken(Throwable cause) {}
}
