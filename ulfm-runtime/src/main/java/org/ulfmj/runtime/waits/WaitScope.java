package org.ulfmj.runtime.waits;

/** The communicator that a wait is on, as far as a report of waits needs it. */
public interface WaitScope {
    String label();

    /** The communicator's id, the same at all members. */
    long id();

    /** The number of members. */
    int size();

    int slotOf(int rank);

    /** Returns the rank of the member that has the slot; −1 if no member has it. */
    int rankOfSlot(int slot);
}
