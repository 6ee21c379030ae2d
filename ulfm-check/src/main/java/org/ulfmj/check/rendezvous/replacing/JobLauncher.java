package org.ulfmj.check.rendezvous.replacing;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.check.rendezvous.joining.CoreServer;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.RendezvousCore;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.Violation;
import org.ulfmj.transport.MemberRecord;

/**
 * The simulated launcher of a job whose dead processes are replaced: the shipped core, with what the core has told the
 * launcher and checks of what the core sends.
 */
final class JobLauncher extends CoreServer<Letter> {
    private final Simulation world;
    private final SortedMap<Long, RendezvousMessage.Out> refusals = new TreeMap<>();
    private final SortedSet<ProcessId> departing = new TreeSet<>();
    private final SortedSet<ProcessId> unwanted = new TreeSet<>();
    private final SortedSet<Integer> spares = new TreeSet<>();
    private final SortedSet<Integer> noMore = new TreeSet<>();
    private List<MemberRecord> table = List.of();
    private final Map<Integer, Integer> confirmedRounds = new TreeMap<>();
    private final SortedSet<Integer> assigned = new TreeSet<>();
    private final Map<Integer, Worker> byNode;
    private RendezvousMessage.Table proposed;
    private int epoch;

    /** Whether newcomers are still wanted: true until the first goodbye of a member has arrived. */
    private boolean wantsNewcomers = true;

    JobLauncher(Simulation world, RunSpec run, SimProcess<Integer, Letter> process, Map<Integer, Worker> byNode) {
        super(run, process);
        this.world = world;
        this.byNode = byNode;
    }

    /** Returns the members of the running world, as far as the launcher knows. */
    List<MemberRecord> table() {
        return table;
    }

    int epoch() {
        return epoch;
    }

    boolean hasGoodbyeOf(ProcessId member) {
        return departing.contains(member);
    }

    /** Whether the members went on without this process before its end was proven, or it was refused as a newcomer. */
    boolean isUnwanted(ProcessId member) {
        return unwanted.contains(member);
    }

    SortedSet<Integer> noMore() {
        return noMore;
    }

    /** Removes the waiting spare with the lowest number, and returns that number; null if no spare waits. */
    Integer takeSpare() {
        if (spares.isEmpty()) {
            return null;
        }
        Integer first = spares.first();
        spares.remove(first);
        return first;
    }

    @Override
    protected Letter packet(int connection, RendezvousMessage message) {
        return Letter.of(connection, message);
    }

    @Override
    protected int connectionOf(Letter letter) {
        return letter.connection();
    }

    @Override
    protected RendezvousMessage messageOf(Letter letter) {
        return letter.message();
    }

    @Override
    protected void says(long nonce, RendezvousMessage message) {
        if (message instanceof RendezvousMessage.Out end) {
            requireSameReason(nonce, end);
        } else if (message instanceof RendezvousMessage.Table frozen) {
            proposed = frozen;
        } else if (message instanceof RendezvousMessage.Pending newcomer) {
            requireOneASlot(newcomer.member().id());
        }
    }

    /** V2: checks that a process that was sent away before is now sent the same reason as the first time. */
    private void requireSameReason(long nonce, RendezvousMessage.Out end) {
        RendezvousMessage.Out first = refusals.putIfAbsent(nonce, end);
        if (first != null && !first.equals(end)) {
            throw new Violation("answers stay: process " + nonce + " was told " + first + ", and then " + end);
        }
    }

    /**
     * V11: checks that no newcomer is announced while an older process of its slot runs, or still waits to be admitted.
     */
    private void requireOneASlot(ProcessId newcomer) {
        for (Worker other : byNode.values()) {
            boolean isOlder = other.id() != null
                    && other.id().slot() == newcomer.slot()
                    && other.id().incarnation() < newcomer.incarnation();
            if (isOlder && (other.isRunning() || other.isPending())) {
                throw new Violation(
                        "one a slot: " + newcomer + " is offered, and " + other.process() + " lives as " + other.id());
            }
        }
    }

    @Override
    public void onMessage(Integer from, Letter letter, long nowNs, Outbox<Integer, Letter> out) {
        if (!byNode.get(from).hasLost(letter.connection())) {
            super.onMessage(from, letter, nowNs, out);
        }
    }

    @Override
    protected void takes(int from, RendezvousMessage message) {
        if (message instanceof RendezvousMessage.Confirm confirm) {
            confirmedRounds.put(from, confirm.round());
        }
        coverBefore(message);
    }

    private void coverBefore(RendezvousMessage message) {
        if (message instanceof RendezvousMessage.Committed told) {
            if (core().phase() == RendezvousCore.Phase.ROLLCALL) {
                world.cover("a roll call was answered by one that ran");
            } else if (told.epoch() < epoch) {
                world.cover("an older epoch was told late");
            }
        }
    }

    void learnOfEnd(ProcessId ended) {
        process().input("told of the end of", ended.slot(), ended, (nowNs, out) -> {
            core().onEnded(ended, "ended", nowNs, toAll(out));
        });
    }

    void learnOfEndOfSpare(int number) {
        process().input("told of the end of spare", number, null, (nowNs, out) -> {
            spares.remove(number);
            core().onSpareEnded(number, nowNs, toAll(out));
        });
    }

    void allow(ProcessId next) {
        process().input("allows", next.slot(), next, (nowNs, out) -> core().onRestartAllowed(next));
    }

    /**
     * Whether the world known to the launcher has an older process in this newcomer's slot, whose place the newcomer
     * can take.
     */
    boolean isWanted(ProcessId newcomer) {
        for (MemberRecord member : table) {
            if (member.id().slot() == newcomer.slot() && member.id().incarnation() < newcomer.incarnation()) {
                return true;
            }
        }
        return false;
    }

    boolean hasAssigned(int spare) {
        return assigned.contains(spare);
    }

    void assign(int spare, ProcessId next) {
        assigned.add(spare);
        process().input("assigns", next.slot(), next, (nowNs, out) -> core().onAssign(spare, next, nowNs, toAll(out)));
    }

    void giveUp(int slot) {
        process().input("gives up", slot, null, (nowNs, out) -> {
            noMore.add(slot);
            core().onNoMore(slot, "no restart is left", nowNs, toAll(out));
        });
    }

    @Override
    public void onFinal() {
        for (MemberRecord member : proposed.members()) {
            Integer confirmed = confirmedRounds.get((int) member.nonce());
            if (confirmed == null || confirmed != proposed.round()) {
                throw new Violation("all have confirmed: " + member.id() + " runs in round " + proposed.round()
                        + ", and confirmed " + confirmed);
            }
        }
        table = proposed.members();
        epoch = 0;
    }

    @Override
    public void onCommitted(ProcessId from, int newEpoch, List<MemberRecord> members) {
        table = members;
        epoch = newEpoch;
        world.cover("an admission");
    }

    @Override
    public void onExcluded(ProcessId excluded) {
        unwanted.add(excluded);
        world.cover("a live member excluded");
    }

    @Override
    public void onLeftOut(ProcessId newcomer) {
        unwanted.add(newcomer);
        world.cover("a newcomer left out");
        if (wantsNewcomers && isWanted(newcomer)) {
            throw new Violation("left out only if not wanted: " + newcomer + ", and the world is " + table);
        }
    }

    @Override
    public void onSpare(int number) {
        spares.add(number);
    }

    @Override
    public void onWorldGone() {
        world.cover("the world was gone");
    }

    @Override
    public void onGoodbye(ProcessId from, SlotSet heldForFailed) {
        departing.add(from);
        wantsNewcomers = false;
    }
}
