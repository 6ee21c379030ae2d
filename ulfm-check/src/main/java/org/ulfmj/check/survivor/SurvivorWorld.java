package org.ulfmj.check.survivor;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.tree.TreeShape;
import org.ulfmj.check.detector.Pace;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.VirtualNetwork;

/**
 * The shared state of the ranks of one schedule.
 *
 * @param watches invariants about messages; filled before the first event
 * @param shape of the trees of all agreements
 * @param talksToAll whether each rank tells its core that it has an open session with every other rank; else it tells
 *     of none
 * @param exitsMayLose whether messages of a process that leaves may be lost
 */
public record SurvivorWorld(
        Simulation simulation,
        VirtualNetwork<ProcessId, ControlMessage> network,
        Pace pace,
        SurvivorProgram program,
        Journal journal,
        List<Watch> watches,
        CommunicatorIds ids,
        TreeShape shape,
        boolean talksToAll,
        boolean exitsMayLose) {

    /** All processes but this one. */
    public List<ProcessId> others(ProcessId but) {
        List<ProcessId> others = new ArrayList<>();
        for (int slot = 0; slot < simulation.ranks(); slot++) {
            if (slot != but.slot()) {
                others.add(ProcessId.of(slot));
            }
        }
        return others;
    }
}
