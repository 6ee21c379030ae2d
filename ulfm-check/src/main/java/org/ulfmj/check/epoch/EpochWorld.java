package org.ulfmj.check.epoch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.check.detector.DetectorTraits;
import org.ulfmj.check.detector.Pace;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.VirtualNetwork;

/**
 * The processes of one schedule, all incarnations. This class also starts newcomers and decides when they are admitted.
 *
 * <p>A dead process is replaced only once every running member of the last epoch has entered it and has marked that
 * process failed. Then each of these members, and each admitted newcomer, enters the next epoch at a time that is drawn
 * for it, up to five timeouts later.
 */
final class EpochWorld {
    /** The event's name in the coverage line. */
    static final String ADMITTED = "a newcomer admitted";

    static final String DIED_PENDING = "a newcomer admitted that was dead";

    private static final long LOOK_NS = 50_000_000;
    private static final int MOST_LOOKS = 200;

    private final Simulation simulation;
    private final SeededRandom random;
    private final VirtualNetwork<ProcessId, DetectorMessage> network;
    private final int size;
    private final Map<Integer, EpochMember> byNode = new TreeMap<>();
    private final Map<Integer, EpochMember> newcomers = new TreeMap<>();
    private Membership last;
    private int admissionsLeft;
    private int looksLeft = MOST_LOOKS;

    EpochWorld(Simulation simulation, Pace pace) {
        this.simulation = simulation;
        this.random = simulation.random("epochs");
        this.size = simulation.ranks();
        this.last = Membership.initial(size);
        this.network = new VirtualNetwork<>(
                simulation,
                pace.delays(simulation),
                new DetectorTraits(),
                id -> id.incarnation() * size + id.slot(),
                node -> new ProcessId(node % size, node / size));
        for (int slot = 0; slot < size; slot++) {
            create(ProcessId.of(slot));
        }
        this.admissionsLeft = random.below(4);
    }

    private EpochMember create(ProcessId id) {
        int node = network.nodeOf(id);
        EpochMember member = new EpochMember(id, last, new SimProcess<>(simulation, node, network));
        byNode.put(node, member);
        return member;
    }

    /** Returns the members of the first epoch, by slot. */
    List<EpochMember> first() {
        return new ArrayList<>(byNode.values()).subList(0, size);
    }

    EpochMember at(int node) {
        return byNode.get(node);
    }

    EpochMember of(ProcessId id) {
        return byNode.get(network.nodeOf(id));
    }

    /** All processes that were ever started. */
    Iterable<EpochMember> all() {
        return byNode.values();
    }

    /** Returns the running members of the last epoch, in slot order, whether or not they have entered it. */
    List<EpochMember> running() {
        List<EpochMember> running = new ArrayList<>();
        for (int slot = 0; slot < size; slot++) {
            EpochMember member = of(last.process(slot));
            if (member.isRunning()) {
                running.add(member);
            }
        }
        return running;
    }

    /** Whether every running member of the last epoch has entered it. */
    boolean isSettled() {
        return running().stream().allMatch(member -> member.epoch() == last);
    }

    /** Whether a process is or was a member of an epoch. */
    boolean wasAdmitted(ProcessId id) {
        return id.incarnation() <= last.incarnation(id.slot());
    }

    /** Begins to look for slots whose process has ended, if any admission is planned. */
    void plan() {
        if (admissionsLeft > 0) {
            simulation.faultAt(LOOK_NS, this::look);
        }
    }

    private void look() {
        startNewcomers();
        List<Integer> slots = admissible();
        if (!slots.isEmpty() && random.chance(50)) {
            admit(slots);
        }
        if (admissionsLeft > 0 && --looksLeft > 0) {
            simulation.faultAt(simulation.nowNs() + LOOK_NS, this::look);
        }
    }

    /**
     * Starts newcomers, as a launcher does: at each look, in each slot of the last epoch whose process has ended and
     * that has no newcomer yet, one with some probability. Some of them are to crash later.
     */
    private void startNewcomers() {
        for (int slot = 0; slot < size; slot++) {
            ProcessId dead = last.process(slot);
            if (!of(dead).isRunning() && !newcomers.containsKey(slot) && random.chance(30)) {
                EpochMember newcomer = create(new ProcessId(slot, dead.incarnation() + 1));
                newcomers.put(slot, newcomer);
                newcomer.start();
                if (random.chance(30)) {
                    long atNs = simulation.nowNs() + random.between(0, Pace.LONG_PAUSE_NS);
                    simulation.faultAt(atNs, newcomer.process()::crash);
                }
            }
        }
    }

    private List<Integer> admissible() {
        List<Integer> slots = new ArrayList<>();
        List<EpochMember> deciders = running();
        if (deciders.isEmpty() || !isSettled()) {
            return slots;
        }
        for (int slot : newcomers.keySet()) {
            ProcessId dead = last.process(slot);
            boolean isKnown =
                    deciders.stream().allMatch(member -> member.failures().hasFailed(dead));
            if (isKnown && random.chance(70)) {
                slots.add(slot);
            }
        }
        return slots;
    }

    private void admit(List<Integer> slots) {
        Map<Integer, Integer> incarnations = new TreeMap<>();
        for (int slot = 0; slot < size; slot++) {
            incarnations.put(slot, last.incarnation(slot));
        }
        List<ProcessId> dead = new ArrayList<>();
        EpochMember decider = running().get(0);
        dead.addAll(decider.failures().failedInOrder());
        List<EpochMember> entering = running();
        for (int slot : slots) {
            EpochMember newcomer = newcomers.remove(slot);
            incarnations.put(slot, newcomer.id().incarnation());
            simulation.cover(newcomer.isRunning() ? ADMITTED : DIED_PENDING);
            entering.add(newcomer);
        }
        last = Membership.of(last.epoch() + 1, last.slots(), incarnations);
        admissionsLeft--;
        Membership next = last;
        boolean isSkewed = random.chance(50);
        long longestNs = (isSkewed ? 5 : 1) * Pace.TIMING.detectorTimeoutNs();
        for (EpochMember member : entering) {
            simulation.faultAt(
                    simulation.nowNs() + random.between(0, longestNs),
                    () -> member.enter(next, whatIsKnown(dead, next)));
        }
    }

    /**
     * Returns those processes of a list whose incarnation is that of the member of the new epoch in their slot, or an
     * earlier one.
     *
     * @param dead the processes that a deciding member has marked failed
     */
    private static List<ProcessId> whatIsKnown(List<ProcessId> dead, Membership next) {
        return dead.stream()
                .filter(process -> process.incarnation() <= next.incarnation(process.slot()))
                .toList();
    }
}
