package org.ulfmj.check.uniform;

import java.util.List;
import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.check.detector.Pace;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.VirtualNetwork;

/**
 * The shared state of the ranks of one schedule.
 *
 * @param calls the calls of every rank, in order: uniform agreements; shrinks, after which the further calls are on the
 *     communicator that the shrink made; and non-blocking agreements, which are waited for only at the end
 * @param needsMajority whether an agreement needs more than half of the processes that were left after the last
 *     blocking agreement before it
 */
record UniformWorld(
        Simulation simulation,
        VirtualNetwork<ProcessId, ControlMessage> network,
        Pace pace,
        List<Kind> calls,
        boolean needsMajority,
        Returns returns,
        CommunicatorIds ids) {}
