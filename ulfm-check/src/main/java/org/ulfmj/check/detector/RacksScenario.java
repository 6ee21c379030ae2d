package org.ulfmj.check.detector;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.LinkDelays;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.VirtualNetwork;

/**
 * One or more neighbours on the ring die at one moment, as the processes of a rack do. Only the ring finds that out, as
 * no launcher reports ends.
 */
public final class RacksScenario implements Scenario {
    static final String RACK = "three neighbours or more died together";

    private static final long DELAY_NS = 1_000_000;
    private static final long SECOND_NS = 1_000_000_000;

    @Override
    public String name() {
        return "racks";
    }

    @Override
    public Set<String> mustCover() {
        return Set.of(RACK, FoundBySilence.EVENT);
    }

    @Override
    public void build(Simulation world) {
        int size = world.ranks();
        SeededRandom random = world.random("rack");
        VirtualNetwork<ProcessId, DetectorMessage> network = new VirtualNetwork<>(
                world,
                new LinkDelays(world, DELAY_NS / 5, DELAY_NS),
                new DetectorTraits(),
                ProcessId::slot,
                ProcessId::of);
        // At its start the ring waits longer, because processes start slowly. One second of that longer time is left
        // here, and it has passed when the rack dies.
        long upForNs = 2 * Pace.TIMING.detectorTimeoutNs() + (long) (StrictMath.log(size) * SECOND_NS);
        HeartbeatsAreFew heartbeats = new HeartbeatsAreFew(size);
        List<RingMember> members = new ArrayList<>();
        for (int slot = 0; slot < size; slot++) {
            SimProcess<ProcessId, DetectorMessage> process = new SimProcess<>(world, slot, network);
            members.add(new RingMember(ProcessId.of(slot), Membership.initial(size), process, heartbeats, upForNs));
        }
        for (RingMember member : members) {
            world.at(random.between(0, Pace.SHORT_PAUSE_NS), member::start);
        }
        int first = random.below(size);
        int dead = 1 + random.below(size - 1);
        long atNs = 2 * SECOND_NS + random.between(0, SECOND_NS / 2);
        for (int i = 0; i < dead; i++) {
            SimProcess<?, ?> victim = members.get((first + i) % size).process();
            world.faultAt(atNs, victim::crash);
        }
        if (dead >= 3) {
            world.cover(RACK);
        }
        world.bound(Pace.bounds(size)::failuresKnownNs);
        world.must(heartbeats);
        world.must(new FailedSetsOnlyGrow(members));
        world.must(new NoProcessIsSuspectedWithoutCause(members));
        world.must(new RingIsOneCycle<>(members, RingMember::ring));
        world.must(new FoundBySilence(world, members));
        world.must(new NeighboursAreFoundTogether(world, members, atNs, dead, DELAY_NS));
    }
}
