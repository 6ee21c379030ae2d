package org.ulfmj.runtime.transfer;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.message.EagerCredit;

/**
 * Shows tests of whole ranks what they need of the inside of a rank's traffic. It is in this package to have access.
 */
public final class Inside {
    /** How many messages a rank may announce before its receiver allows more. */
    public static final int MOST_ANNOUNCED = OfferWindows.Window.MESSAGES;

    private Inside() {}

    /** Returns the credit for messages between this rank and a process. */
    public static EagerCredit credit(Traffic traffic, ProcessId process) {
        return traffic.peers().of(process).credit;
    }

    /** Whether a send to the process is held back until it may be announced. */
    public static boolean holdsSends(Traffic traffic, ProcessId process) {
        return !traffic.peers().of(process).held.isEmpty();
    }
}
