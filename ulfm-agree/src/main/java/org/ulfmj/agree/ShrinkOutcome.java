package org.ulfmj.agree;

import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/**
 * What a decided shrink makes of a communicator: the members without the agreed failed set, in the old order, under an
 * id that each member computes without a message. So a shrink costs one agreement, and no process waits until others
 * have built the new communicator: messages that come early for the new id are held.
 *
 * @param members slots of the new communicator in rank order
 * @param id id of the new communicator
 */
public record ShrinkOutcome(SlotRuns members, long id) {
    /**
     * @param parent id of the old communicator
     * @param sequence number of the agreement
     * @param oldMembers members of the old communicator
     * @param failed slots that the agreement decided on as failed
     */
    public static ShrinkOutcome of(
            CommunicatorIds ids, long parent, long sequence, SlotRuns oldMembers, SlotSet failed) {
        return new ShrinkOutcome(oldMembers.without(failed), ids.shrink(parent, sequence, failed));
    }

    /**
     * Checks what shrink promises its caller: the caller is a member, and every failure that raised an error here
     * before the call is left out. Throws if that is broken.
     *
     * @param me slot of the caller
     * @param raisedBefore slots of failures that the caller had been told of
     */
    public void requireKept(int me, SlotSet raisedBefore) {
        if (!members.contains(me)) {
            throw new IllegalStateException("shrink to " + members + " leaves out its caller, slot " + me);
        }
        for (int slot : raisedBefore.toArray()) {
            if (members.contains(slot)) {
                throw new IllegalStateException(
                        "shrink to " + members + " keeps slot " + slot + ", whose failure its caller knew");
            }
        }
    }
}
