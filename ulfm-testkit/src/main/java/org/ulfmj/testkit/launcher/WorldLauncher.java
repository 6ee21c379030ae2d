package org.ulfmj.testkit.launcher;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntBinaryOperator;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.RendezvousCore;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.ServerListener;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.replacement.ReplacementTerms;
import org.ulfmj.rendezvous.replacement.Replacements;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.rendezvous.rounds.WorldSize;
import org.ulfmj.transport.MemberRecord;

/**
 * The launcher of processes that are threads. The classes that {@code mpiexec} ships, {@link RendezvousCore} and
 * {@link Replacements}, decide what the processes are told, which of them are judged silent, and which are started in
 * the place of dead ones. Not thread-safe; no method that changes it may be called within its effects.
 */
public final class WorldLauncher implements Replacements.Effects, ServerListener {
    /** Actions that the launcher decides on, and that the world carries out in which the processes run. */
    public interface Effects {
        long nowNs();

        /** Runs a task of the launcher after some time. The task does not run if the launcher is gone by then. */
        void later(long afterNs, Runnable task);

        /** Returns how long it takes from the start of a process until it joins. */
        long startNs();

        /**
         * Sends a message of a process to the launcher. When it arrives, {@link WorldLauncher#hear} is to be called.
         * May be called by any thread.
         */
        void toLauncher(RankLine line, RendezvousMessage message);

        /** Sends a message of the launcher to a process. When it arrives, {@link RankLine#take} is to be called. */
        void toProcess(RankLine line, RendezvousMessage message);

        /** Kills a process that is judged silent (J2). May be called again until the end of that process is known. */
        void endSilent(ProcessId process, String reason);
    }

    private static final long JOIN_NS = 30_000_000_000L;
    private static final long CONFIRM_NS = 10_000_000_000L;

    private final Effects effects;
    private final int ranks;
    /** How many processes join without a slot once the world runs. With any, the world is an elastic one. */
    private final int joiners;

    private final IntBinaryOperator hosts;
    private final RendezvousCore core;
    private final Replacements replacements;

    /** The connections of all processes, by nonce, also of those that have ended. */
    private final Map<Long, RankLine> lines = new TreeMap<>();

    /** The highest incarnation of each slot that was started or is to be started. */
    private final int[] latest;

    private final Outbox<Long, RendezvousMessage> out = this::tell;

    /** The processes that have told the launcher that they leave, as after a preemption. */
    private final Set<ProcessId> left = new HashSet<>();

    /** How many processes have joined without a slot. */
    private int arrived;

    private boolean isGathered;
    /** Why no process is started any more; null while processes are started. */
    private String closedBecause;

    /**
     * Makes the launcher.
     *
     * @param restarts of each rank, at most, those of processes that left not counted
     * @param hosts the number of the host of a process, by its rank and incarnation
     */
    public WorldLauncher(int ranks, int restarts, long detectorTimeoutNs, IntBinaryOperator hosts, Effects effects) {
        this(ranks, 0, restarts, detectorTimeoutNs, hosts, effects);
    }

    /** @param joiners how many processes join once the world runs; if there are any, no process is restarted */
    public WorldLauncher(
            int ranks, int joiners, int restarts, long detectorTimeoutNs, IntBinaryOperator hosts, Effects effects) {
        this.effects = effects;
        this.ranks = ranks;
        this.joiners = joiners;
        this.hosts = hosts;
        this.latest = new int[ranks];
        for (int place = ranks; place < ranks + joiners; place++) {
            // Fails now where there is no host for a process that joins, and not on the launcher's thread later.
            hosts.applyAsInt(place, 0);
        }
        RunSpec run = joiners == 0
                ? new RunSpec("threads", ranks, 0, JOIN_NS, CONFIRM_NS).withRestarts()
                : new RunSpec("threads", new WorldSize(ranks, ranks + joiners, JOIN_NS), 0, JOIN_NS, CONFIRM_NS);
        this.core = new RendezvousCore(run.withSilence(detectorTimeoutNs), this);
        String option = "restarting(" + restarts + ")";
        this.replacements =
                new Replacements(new ReplacementTerms(ranks, restarts, 0, option, "no restarts were asked for"), this);
    }

    /** Makes the line of a process that has none yet. */
    public RankLine line(ProcessId process) {
        long nonce = lines.size() + 1L;
        int host = hosts.applyAsInt(process.slot(), process.incarnation());
        RankLine line = joiners == 0
                ? new RankLine(process, nonce, host, effects)
                : new RankLine(process.slot(), process, nonce, host, effects);
        lines.put(nonce, line);
        return line;
    }

    /** The line of the process with this nonce; null if there is none. */
    public RankLine lineOf(long nonce) {
        return lines.get(nonce);
    }

    private void startJoiners() {
        for (int each = ranks; each < ranks + joiners; each++) {
            int place = each;
            effects.later(effects.startNs(), () -> startJoiner(place));
        }
    }

    private void startJoiner(int place) {
        long nonce = lines.size() + 1L;
        RankLine line = new RankLine(place, null, nonce, hosts.applyAsInt(place, 0), effects);
        lines.put(nonce, line);
        join(line);
    }

    public Collection<RankLine> lines() {
        return lines.values();
    }

    /** Lets the processes of the first world join. */
    public void gather() {
        for (RankLine line : lines.values()) {
            join(line);
        }
    }

    private void join(RankLine line) {
        line.join(core.greet(line.me().nonce(), 0, 1));
    }

    /** Whether the first world has been formed. */
    public boolean isGathered() {
        return isGathered;
    }

    /** Takes a message of a process, which has arrived. */
    public void hear(RankLine from, RendezvousMessage message) {
        core.onMessage(from.me().nonce(), message, effects.nowNs(), out);
        if (joiners > 0 && !isGathered && arrived == ranks) {
            core.onAllStartedJoined(effects.nowNs(), out);
        }
    }

    private void tell(long nonce, RendezvousMessage message) {
        effects.toProcess(lines.get(nonce), message);
    }

    /**
     * As {@link #prove(ProcessId, String)}, for a process that the core may know by another name than that of its line.
     */
    public void prove(RankLine dead, String reason) {
        ProcessId name = nameOf(dead);
        if (name != null) {
            prove(name, reason);
        }
    }

    /**
     * The name by which the core knows a process; null, in an elastic world, if the process never joined or the core
     * was told of its end.
     */
    private ProcessId nameOf(RankLine process) {
        return joiners == 0 ? process.me().id() : core.nameOf(process.me().nonce());
    }

    /** Notes that the end of a process is known, and plans to start another one in its place if that is allowed. */
    public void prove(ProcessId dead, String reason) {
        core.onEnded(dead, reason, effects.nowNs(), out);
        if (joiners > 0 || dead.incarnation() < latest[dead.slot()]) {
            return;
        }
        if (closedBecause != null) {
            replacements.giveUp(dead.slot(), closedBecause);
        } else if (replacements.replace(dead, "rank " + dead + " is dead", !left.contains(dead), effects.nowNs())) {
            startWhenDue();
        }
    }

    /** Notes that the process ended after Finalize, and lets the core tell the ranks. */
    public void departed(ProcessId process) {
        core.onDeparted(process, effects.nowNs(), out);
    }

    /** As {@link #departed(ProcessId)}, for a process that the core may know by another name than that of its line. */
    public void departed(RankLine process) {
        ProcessId name = nameOf(process);
        if (name != null) {
            departed(name);
        }
    }

    /**
     * As {@link #stayedOut(ProcessId, String)}, for a process that the core may know by another name than that of its
     * line.
     */
    public void stayedOut(RankLine newcomer, String why) {
        ProcessId name = nameOf(newcomer);
        if (name != null) {
            stayedOut(name, why);
        }
    }

    /** Notes that the newcomer ended because the world went on without it. */
    public void stayedOut(ProcessId newcomer, String why) {
        core.onEnded(newcomer, why, effects.nowNs(), out);
    }

    /**
     * As {@link #looked(ProcessId, char, boolean)}, for a process that the core may know by another name than that of
     * its line.
     */
    public void looked(RankLine process, char state, boolean isKillPending) {
        ProcessId name = nameOf(process);
        if (name != null) {
            looked(name, state, isKillPending);
        }
    }

    /** The line of the process that the core knows by this name; null if there is none. */
    public RankLine lineNamed(ProcessId name) {
        for (RankLine line : lines.values()) {
            if (name.equals(nameOf(line))) {
                return line;
            }
        }
        return null;
    }

    /** Takes the state of a process, as {@code /proc} would show it: {@link RendezvousCore#onLooked}. */
    public void looked(ProcessId process, char state, boolean isKillPending) {
        core.onLooked(process, state, isKillPending, effects.nowNs(), out);
    }

    public void tick() {
        core.onTick(effects.nowNs(), out);
    }

    /** Returns when {@link #tick} is due; {@link Long#MAX_VALUE} for never. */
    public long nextDeadlineNs() {
        return core.nextDeadlineNs();
    }

    private void startWhenDue() {
        long dueNs = replacements.deadlineNs();
        if (dueNs != Long.MAX_VALUE) {
            effects.later(Math.max(0, dueNs - effects.nowNs()), () -> {
                replacements.tick(effects.nowNs());
                startWhenDue();
            });
        }
    }

    @Override
    public void announce(ProcessId next) {
        latest[next.slot()] = next.incarnation();
        core.onRestartAllowed(next);
    }

    @Override
    public void assign(int spare, ProcessId next) {
        throw new IllegalStateException("there are no spares");
    }

    @Override
    public void start(ProcessId id) {
        effects.later(effects.startNs(), () -> join(line(id)));
    }

    @Override
    public void refuse(int slot, String why) {
        core.onNoMore(slot, why, effects.nowNs(), out);
    }

    @Override
    public void say(String line) {
        // Nothing is printed, since the result says how each process ended.
    }

    @Override
    public void onArrived(Joiner joiner) {
        arrived++;
    }

    @Override
    public void onBegun(List<MemberRecord> members) {
        for (MemberRecord member : members) {
            RankLine line = lines.get(member.nonce());
            if (!isGathered && !line.isCalled(member.id())) {
                throw new IllegalStateException("process " + line.me() + " got slot " + member.id());
            }
        }
    }

    @Override
    public void onFinal() {
        if (!isGathered && joiners > 0) {
            startJoiners();
        }
        isGathered = true;
    }

    @Override
    public void onGoodbye(ProcessId process, SlotSet heldForFailed) {
        closedBecause = "the world is finalized";
    }

    @Override
    public boolean onLeave(ProcessId process, String why) {
        left.add(process);
        return true;
    }

    @Override
    public void onClosed(OutReason reason, String text) {
        closedBecause = text;
    }

    @Override
    public void onSilent(ProcessId process, String reason) {
        effects.endSilent(process, reason);
    }

    @Override
    public void onJoined(ProcessId process) {}

    @Override
    public void onReached(ProcessId process, int rule) {}

    @Override
    public void onFenced(ProcessId process, String reason) {}

    @Override
    public void onAbort(ProcessId by, int code, String reason) {}

    @Override
    public void onBroken(Throwable cause) {}
}
