package org.ulfmj.check.detector;

import org.ulfmj.detector.ReliableBroadcast;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.SlotRuns;

/** A broadcast without a meaning. */
record Rumour(int number, int originSlot, SlotRuns members) implements ReliableBroadcast.Event {
    @Override
    public Object key() {
        return number;
    }

    @Override
    public SlotRuns membersIn(Membership current) {
        return members;
    }

    @Override
    public String toString() {
        return "rumour " + number + " over " + members;
    }
}
