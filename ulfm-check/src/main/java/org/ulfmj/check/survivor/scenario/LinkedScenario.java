package org.ulfmj.check.survivor.scenario;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.check.detector.FaultInjection;
import org.ulfmj.check.detector.Pace;
import org.ulfmj.check.link.LinkedEvents;
import org.ulfmj.check.link.LinkedNetwork;
import org.ulfmj.check.survivor.SurvivorEvents;
import org.ulfmj.check.survivor.SurvivorProgram;
import org.ulfmj.check.survivor.SurvivorRank;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.VirtualNetwork;

/** As {@link SurvivorMixScenario}, with the shipped link sessions below the shipped core. */
public final class LinkedScenario extends SurvivorScenario {
    /** How many message delays the first message of a session may take, as a handshake comes before it. */
    private static final int WAYS = 10;

    public LinkedScenario() {
        super("linked", 1, SurvivorProgram.Emphasis.ALL);
    }

    @Override
    public Set<String> mustCover() {
        Set<String> events = new TreeSet<>(super.mustCover());
        events.remove(SurvivorEvents.REPEATED);
        return more(events, LinkedNetwork.CROSSED, LinkedNetwork.EXCLUDED, LinkedNetwork.GOODBYE, LinkedNetwork.RESET);
    }

    @Override
    void connect(
            Simulation simulation, VirtualNetwork<?, ControlMessage> network, List<SurvivorRank> ranks, Pace pace) {
        LinkedNetwork<ControlMessage> sessions =
                new LinkedNetwork<>(simulation, network, pace.unitNs(), Pace.LONGEST_DELAY_NS / WAYS);
        for (SurvivorRank rank : ranks) {
            sessions.add(rank.process(), new Told(simulation, rank, ranks));
        }
    }

    /** Returns false, because a link session hands over each message only once. */
    @Override
    boolean mayRepeat() {
        return false;
    }

    /**
     * Passes the events of link sessions on to a rank. If two ranks cannot reach each other, the one with the higher
     * slot is ended.
     */
    private record Told(Simulation simulation, SurvivorRank rank, List<SurvivorRank> ranks) implements LinkedEvents {
        @Override
        public void departed(int peer) {
            rank.hearsGoodbye(ranks.get(peer).id());
        }

        @Override
        public void excluded(int by) {
            if (!rank.core().isLeaving()) {
                rank.process().endWhenAwake(SimProcess.End.FENCED);
            }
        }

        @Override
        public void apart(int peer) {
            SurvivorRank other = ranks.get(peer);
            if (rank.isRunning() && other.isRunning()) {
                simulation.cover(FaultInjection.UNREACHABLE);
                SurvivorRank higher = rank.id().slot() > peer ? rank : other;
                higher.process().endWhenAwake(SimProcess.End.FENCED);
            }
        }
    }
}
