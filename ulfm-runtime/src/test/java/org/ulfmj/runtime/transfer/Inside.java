package org.ulfmj.runtime.transfer;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.message.EagerCredit;

/** What tests of whole ranks look at inside their traffic. In this package to get at it. */
public final class Inside {
    /** How many messages a rank may announce before its receiver says more. */
    public static final int MOST_ANNOUNCED = OfferWindows.Window.MESSAGES;

    private Inside() {}

    /** Returns the credit for messages to and from a process. */
    public static EagerCredit credit(Traffic traffic, ProcessId process) {
        return traffic.peers().of(process).credit;
    }

    /** Whether a send to the process waits until it may be announced. */
    public static boolean holdsSends(Traffic traffic, ProcessId process) {
        return !traffic.peers().of(process).held.isEmpty();
    }
}
