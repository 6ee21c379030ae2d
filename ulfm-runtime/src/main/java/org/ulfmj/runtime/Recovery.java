package org.ulfmj.runtime;

import org.ulfmj.protocol.SlotSet;

/** The calls in which all members of a communicator decide something together. Called inside the engine. */
interface Recovery {
    int agree(CommunicatorState communicator, int flag);

    int[] agreeFailed(CommunicatorState communicator);

    Communicator shrink(CommunicatorState communicator);

    /** Everybody is in Finalize; returns the slots of those that are held for failed. */
    SlotSet finish(CommunicatorState world);
}
