package org.ulfmj.check.detector;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.sim.FaultPlan;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.MessageTraits;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.VirtualNetwork;

/**
 * One to three rumours spread, each over all members or over a part of them, while at most all members but one crash
 * and the others are told of each death one by one.
 */
public final class BroadcastScenario implements Scenario {
    static final String REPLAY = "a rumour replayed to a new neighbour";

    private static final int RUMOURS = 3;

    @Override
    public String name() {
        return "broadcast";
    }

    @Override
    public Set<String> mustCover() {
        return Set.of(REPLAY);
    }

    @Override
    public void build(Simulation world) {
        int size = world.ranks();
        Membership membership = Membership.initial(size);
        SeededRandom random = world.random("broadcast");
        Pace pace = Pace.draw(random, 1);
        VirtualNetwork<ProcessId, Rumour> network = pace.network(world, new MessageTraits<>() {});
        List<BroadcastMember> members = new ArrayList<>();
        for (int slot = 0; slot < size; slot++) {
            SimProcess<ProcessId, Rumour> process = new SimProcess<>(world, slot, network);
            members.add(new BroadcastMember(world, ProcessId.of(slot), membership, process));
        }
        List<Rumour> rumours = new ArrayList<>();
        for (int number = 1 + random.below(RUMOURS); number > 0; number--) {
            Rumour rumour = draw(random, number, size);
            rumours.add(rumour);
            BroadcastMember origin = members.get(rumour.originSlot());
            world.faultAt(random.between(0, pace.faultWindowNs()), () -> origin.begin(rumour));
        }
        FaultPlan drawn = FaultPlan.draw(world, size, pace.faultWindowNs(), new FaultPlan.Limits(size - 1, 0, 1, 0, 0));
        FaultPlan plan = new FaultPlan(
                drawn.crashes(), List.of(), List.of(), List.of(), List.of(), List.of(), FaultPlan.Notices.ALL);
        new FaultInjection(world, members, plan, 20 * pace.unitNs()).plan();
        world.bound(failures -> Pace.bounds(size).broadcastNs());
        world.must(new FailedSetsOnlyGrow(members));
        world.must(new WhatOneHeardAllHeard(members, rumours));
    }

    private static Rumour draw(SeededRandom random, int number, int size) {
        int[] slots = new int[size];
        int count = 0;
        boolean allTake = random.chance(50);
        for (int slot = 0; slot < size; slot++) {
            if (allTake || random.chance(75)) {
                slots[count++] = slot;
            }
        }
        if (count == 0) {
            slots[count++] = random.below(size);
        }
        return new Rumour(number, slots[random.below(count)], SlotRuns.of(Arrays.copyOf(slots, count)));
    }

    /**
     * Invariant at rest: if one running member of a rumour's list has heard or begun the rumour, every running member
     * of that list has heard it.
     */
    private record WhatOneHeardAllHeard(List<BroadcastMember> members, List<Rumour> rumours) implements Invariant {
        @Override
        public String open() {
            for (Rumour rumour : rumours) {
                BroadcastMember heard = null;
                BroadcastMember missed = null;
                for (int slot : rumour.members().toArray()) {
                    BroadcastMember member = members.get(slot);
                    if (member.isRunning() && member.heard().contains(rumour.number())) {
                        heard = member;
                    } else if (member.isRunning()) {
                        missed = member;
                    }
                }
                if (heard != null && missed != null) {
                    return heard.process() + " heard " + rumour + ", " + missed.process() + " did not";
                }
            }
            return null;
        }
    }
}
