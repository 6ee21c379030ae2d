package org.ulfmj.runtime.waits;

/** The communicator that a wait is on, as far as a report of waits shows it. */
public interface WaitScope {
    String label();

    /** The same at all members. */
    long id();

    /** Ranks. */
    int size();

    int slotOf(int rank);

    /** −1 if no member has the slot. */
    int rankOfSlot(int slot);
}
