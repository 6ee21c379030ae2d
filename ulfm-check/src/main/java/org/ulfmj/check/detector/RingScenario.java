package org.ulfmj.check.detector;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.FaultPlan;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.VirtualNetwork;

/** Processes run only the heartbeat ring and its obituaries, while the faults of a drawn plan happen to them. */
public final class RingScenario implements Scenario {
    @Override
    public String name() {
        return "detector";
    }

    @Override
    public Set<String> mustCover() {
        return Set.of(FoundBySilence.EVENT, LiveRankFenced.EVENT, LostObituary.EVENT, FaultInjection.UNREACHABLE);
    }

    @Override
    public void build(Simulation world) {
        int size = world.ranks();
        Membership membership = Membership.initial(size);
        SeededRandom random = world.random("ring");
        Pace pace = Pace.draw(random, 50);
        VirtualNetwork<ProcessId, DetectorMessage> network = pace.network(world, new DetectorTraits());
        HeartbeatsAreFew heartbeats = new HeartbeatsAreFew(size);
        world.must(heartbeats);
        List<RingMember> members = new ArrayList<>();
        for (int slot = 0; slot < size; slot++) {
            SimProcess<ProcessId, DetectorMessage> process = new SimProcess<>(world, slot, network);
            members.add(new RingMember(ProcessId.of(slot), membership, process, heartbeats, 0));
        }
        for (RingMember member : members) {
            world.at(random.between(0, Pace.SHORT_PAUSE_NS), member::start);
        }
        FaultPlan plan = Pace.drawFaults(world, Pace.SHORT_PAUSE_NS + pace.faultWindowNs(), 2, 1);
        new FaultInjection(world, members, plan, pace.faultWindowNs() / 2).plan();
        world.bound(Pace.bounds(size)::failuresKnownNs);
        DetectorInvariants.require(world, members, RingMember::ring, plan);
    }
}
