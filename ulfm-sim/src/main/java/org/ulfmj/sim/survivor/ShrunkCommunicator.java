package org.ulfmj.sim.survivor;

import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.sim.SeededRandom;

/** What a shrink made: an id that depends on the failed set too, and the members that are left, in their order. */
record ShrunkCommunicator(long id, SlotRuns members) {
    static ShrunkCommunicator of(long parent, long sequence, SlotRuns members, SlotSet failed) {
        long id = SeededRandom.mix(parent ^ sequence);
        for (int slot : failed.toArray()) {
            id = SeededRandom.mix(id ^ slot);
        }
        return new ShrunkCommunicator(id, members.without(failed));
    }

    @Override
    public String toString() {
        return Long.toHexString(id) + " over " + members;
    }
}
