package org.ulfmj.runtime;

import org.ulfmj.agree.message.Kind;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.runtime.recovery.AgreedNotes;
import org.ulfmj.transport.Payload;

/** The calls of recovery in which all members of a communicator decide something together. Called inside the engine. */
interface RecoveryCalls {
    int agree(CommunicatorState communicator, int flag);

    /**
     * As {@link #agree}. A member that returned with a value and has died since had the same value as the others, too.
     */
    int agreeUniformly(CommunicatorState communicator, int flag);

    int[] agreeFailed(CommunicatorState communicator);

    /**
     * Returns the bitwise AND of {@code bits} of all members that take part; the same at both groups of an
     * inter-communicator.
     */
    int agreeOnHints(CommunicatorState communicator, int bits);

    Communicator shrink(CommunicatorState communicator);

    /**
     * Makes and returns the world with new processes in the place of those that failed; it is this rank's COMM_WORLD
     * from now on.
     */
    Communicator replace(CommunicatorState communicator);

    /**
     * Makes and returns the world without the dead members and with the processes that wait to be let in; it is this
     * rank's COMM_WORLD from now on. Returns the present COMM_WORLD if nothing changes.
     */
    Communicator grow(CommunicatorState communicator);

    /** {@link CommunicatorRecovery#growInRecovery}. */
    Communicator growInRecovery(CommunicatorState communicator, boolean letsIn);

    /** Returns the notes of all members that take part; all live members must call this. */
    AgreedNotes agreeNotes(CommunicatorState communicator, Kind kind, byte[] note);

    /**
     * As {@link #agree} without waiting; if an agreed value comes out, it is written to {@code result}, 4 bytes in
     * native order, when the call ends.
     */
    CollectiveCall startAgree(CommunicatorState communicator, int flag, Payload result);

    CollectiveCall startShrink(CommunicatorState communicator);

    /** Waits until every live rank is in Finalize. Returns the slots of the members that are marked failed. */
    SlotSet finish(CommunicatorState world);
}
