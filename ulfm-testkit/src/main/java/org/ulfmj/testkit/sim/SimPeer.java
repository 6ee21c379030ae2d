package org.ulfmj.testkit.sim;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.MemberRecord;

/** Another process as a {@link SimFabric} knows it: the lanes to it, and whether its frames are still handed over. */
final class SimPeer {
    final ProcessId id;
    /** Lanes by kind; null until the first frame. */
    private final SimLane[] lanes = new SimLane[LaneKind.values().length];

    /**
     * The record of a process that joined without a slot and has not answered a call by its name yet; else null. No
     * frame goes to the process before it answers.
     */
    MemberRecord uncalled;
    /** Whether this rank has called the process by its name. */
    boolean isCalled;

    /** Number of records sent so far, on both lanes. */
    long sent;
    /** Whether the process was abandoned or has departed: frames to it are thrown away. */
    boolean cutOff;

    boolean abandoned;
    /** Whether frames of the process are thrown away. */
    boolean deaf;

    SimPeer(ProcessId id) {
        this.id = id;
    }

    /** The lane of a kind; null if no frame was ever sent on it. */
    SimLane lane(LaneKind kind) {
        return lanes[kind.ordinal()];
    }

    void open(SimLane lane) {
        lanes[lane.kind.ordinal()] = lane;
    }

    boolean isHandedOver() {
        for (SimLane lane : lanes) {
            if (lane != null && !lane.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Notes that the process that sends on these lanes is dead: none of its records under way arrives, or as many as
     * chance decides. If a data frame arrives, the control frames that were sent before it arrive too.
     */
    void lose(SeededRandom chance, SimProfile.Arrival arrival) {
        SimLane control = lane(LaneKind.CONTROL);
        SimLane data = lane(LaneKind.DATA);
        long first = Math.min(
                control == null ? sent : control.firstNumber(sent), data == null ? sent : data.firstNumber(sent));
        if (first == sent) {
            return;
        }
        long lostControl = arrival == SimProfile.Arrival.NONE ? first : chance.between(first, sent);
        long lostData = arrival == SimProfile.Arrival.NONE ? first : chance.between(first, lostControl);
        if (control != null) {
            control.lose(lostControl);
        }
        if (data != null) {
            data.lose(lostData);
        }
    }
}
