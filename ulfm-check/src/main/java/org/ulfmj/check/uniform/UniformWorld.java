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
 * What the ranks of one schedule share.
 *
 * @param calls what every rank calls, one after the other: uniform agreements; shrinks, after which the rest is called
 *     on what they made; and non-blocking agreements, for which no process waits before the end
 * @param needsMajority whether agreements of every process need more than half of those that the last one left
 */
record UniformWorld(
        Simulation simulation,
        VirtualNetwork<ProcessId, ControlMessage> network,
        Pace pace,
        List<Kind> calls,
        boolean needsMajority,
        Returns returns,
        CommunicatorIds ids) {}
