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
 * What the ranks of one schedule share.
 *
 * @param watches invariants about messages; filled before anything runs
 * @param shape of the trees of all agreements
 * @param talksToAll whether each rank has an open session with every other, not only with its neighbours
 * @param exitsMayLose whether a process that leaves may take messages with it that it had sent
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

    /** All processes but one. */
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
