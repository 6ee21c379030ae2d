package org.ulfmj.check.replace;

import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.protocol.ProcessId;

/**
 * The simulated launcher's roll call, once every member has ended. It asks the processes that wait whether one of them
 * was admitted and runs. If one does, the world goes on with it. If none does, the waiting processes and fresh ones for
 * the other slots become a new world. If a slot gets no process any more, the job is given up.
 */
final class SimulatedRollCall {
    /** A process that was started during the roll call and is kept until the roll call ends. */
    private record Fresh(Contact contact, Fate fate) {}

    /** The membership epoch of gathered worlds. */
    static final long EPOCH = 1;

    private final ReplaceWorld world;
    private final Launcher launcher;
    private final SortedSet<ProcessId> asked = new TreeSet<>();
    private final SortedMap<Integer, ReplaceRank> waiting = new TreeMap<>();
    private final SortedMap<Integer, Fresh> fresh = new TreeMap<>();
    /** Processes of a gathered world that have not been told of it yet. */
    private final SortedSet<ProcessId> untold = new TreeSet<>();

    private boolean running;

    /** Number of the last roll call. */
    private int call;
    /** By process: the number of the last roll call of which it was told that it has ended. */
    private final SortedMap<ProcessId, Integer> ended = new TreeMap<>();

    SimulatedRollCall(ReplaceWorld world, Launcher launcher) {
        this.world = world;
        this.launcher = launcher;
    }

    /** Whether the roll call is open: no member is known to run, and the new world is not decided yet. */
    boolean isRunning() {
        return running;
    }

    /** A process has ended. */
    void onEnd(ReplaceRank ended) {
        untold.remove(ended.id());
        asked.remove(ended.id());
        waiting.remove(ended.id().slot(), ended);
        if (running) {
            goOn();
        } else if (untold.isEmpty()
                && world.members().isEmpty()
                && world.program().replaces() > 0
                && !launcher.isOver()) {
            begin();
        }
    }

    private void begin() {
        running = true;
        call++;
        world.simulation().cover(ReplaceEvents.ROLL_CALL);
        for (ReplaceRank rank : world.all()) {
            if (rank.isRunning()) {
                asked.add(rank.id());
            }
        }
        for (ProcessId each : asked) {
            ReplaceRank rank = world.of(each);
            int asking = call;
            launcher.tell(rank, () -> ask(rank, asking));
        }
        goOn();
    }

    /**
     * Asks a process whether it runs, unless it was already told that this roll call has ended. A connection to the
     * launcher would keep the order of the two messages.
     */
    private void ask(ReplaceRank rank, int asking) {
        if (ended.getOrDefault(rank.id(), 0) < asking) {
            rank.isAskedWhetherItRuns(runs -> launcher.hear(() -> onAnswer(rank, runs)));
        }
    }

    private void end(ReplaceRank rank, int asked) {
        ended.merge(rank.id(), asked, Math::max);
        rank.mayBeAdmitted();
    }

    private void onAnswer(ReplaceRank rank, boolean runs) {
        if (!running || !asked.remove(rank.id())) {
            return;
        }
        if (!runs) {
            waiting.put(rank.id().slot(), rank);
            goOn();
            return;
        }
        // The asked process was admitted and runs. The other processes wait to be admitted to the world that it is in.
        world.simulation().cover(ReplaceEvents.ANSWERED);
        running = false;
        for (ReplaceRank each : world.all()) {
            int over = call;
            launcher.tell(each, () -> end(each, over));
        }
        SortedMap<Integer, Fresh> newcomers = new TreeMap<>(fresh);
        clear();
        newcomers.forEach((slot, one) -> launcher.start(one.contact(), one.fate()));
    }

    /**
     * A process has been started during the roll call: if the launcher's world has its slot, it is kept until the roll
     * call ends.
     */
    void comes(Contact contact, Fate fate) {
        if (launcher.slots().contains(contact.process().slot())) {
            fresh.put(contact.process().slot(), new Fresh(contact, fate));
            goOn();
        }
    }

    /** Checks whether the roll call can end, after a change that it depends on. */
    void goOn() {
        if (!running || launcher.isDead() || !asked.isEmpty()) {
            return;
        }
        SortedMap<Integer, Contact> members = new TreeMap<>();
        for (int slot : launcher.slots()) {
            if (waiting.containsKey(slot)) {
                members.put(slot, waiting.get(slot).contact());
            } else if (fresh.containsKey(slot)) {
                members.put(slot, fresh.get(slot).contact());
            } else if (launcher.noMore().containsKey(slot)) {
                running = false;
                clear();
                launcher.giveUp();
                return;
            } else {
                return;
            }
        }
        gather(members);
    }

    private void gather(SortedMap<Integer, Contact> members) {
        world.simulation().cover(ReplaceEvents.GATHERED);
        Admission unnamed = new Admission(EPOCH, 0, members);
        long digest = unnamed.digest(world.placement(members.values()));
        Admission admission = unnamed.named(world.ids().replace(0, 0, digest));
        world.worlds().beginsAnew();
        running = false;
        SortedMap<Integer, ReplaceRank> former = new TreeMap<>(waiting);
        SortedMap<Integer, Fresh> newcomers = new TreeMap<>(fresh);
        newcomers
                .keySet()
                .retainAll(members.keySet()); // a world that the launcher heard of meanwhile may have fewer slots
        clear();
        former.values().forEach(rank -> untold.add(rank.id()));
        launcher.gathers(admission);
        newcomers.values().forEach(one -> launcher.startMember(one.contact(), one.fate(), admission));
        former.values()
                .forEach(rank -> launcher.tell(rank, () -> {
                    untold.remove(rank.id());
                    rank.isGathered(admission);
                }));
    }

    private void clear() {
        asked.clear();
        waiting.clear();
        fresh.clear();
    }
}
