package org.ulfmj.transport.tcp;

import java.util.concurrent.atomic.AtomicBoolean;

/** Rare lines for a person, of all media. The logger is made when the first one is written: making one takes tens of milliseconds. */
public final class TransportLog {
    private static final AtomicBoolean HAS_TOLD_OF_STRANGERS = new AtomicBoolean();

    private TransportLog() {}

    /** Somebody calls who does not know the job's secret. Told once a process: whoever it is could call without end. */
    static void stranger(String why) {
        if (HAS_TOLD_OF_STRANGERS.compareAndSet(false, true)) {
            System.getLogger("org.ulfmj.transport")
                    .log(
                            System.Logger.Level.WARNING,
                            "somebody who does not know this job's secret calls and was cut off (" + why
                                    + "); further calls of this kind will not be told");
        }
    }

    public static void error(String message) {
        System.getLogger("org.ulfmj.transport").log(System.Logger.Level.ERROR, message);
    }
}
