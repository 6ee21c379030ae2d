package org.ulfmj.testkit.sim;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.transport.LaneKind;

/** What a {@link SimFabric} knows of one other process: the way to it, and whether it is still listened to. */
final class SimPeer {
    final ProcessId id;
    /** Lanes by kind; null until the first frame. */
    private final SimLane[] lanes = new SimLane[LaneKind.values().length];

    /** Records so far, on both lanes. */
    long sent;
    /** Abandoned or departed: frames to it are thrown away. */
    boolean cutOff;

    boolean abandoned;
    /** Nothing of it is handed over any more. */
    boolean deaf;

    SimPeer(ProcessId id) {
        this.id = id;
    }

    /** The lane of a kind; null if nothing was ever sent on it. */
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
     * The process is dead: of what it has under way to this peer, a part arrives. A data frame proves the control
     * frames before it.
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
