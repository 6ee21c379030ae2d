package org.ulfmj.transport.tcp;

/** Rare lines for a person, of all media. The logger is made when the first one is written: making one takes tens of milliseconds. */
public final class TransportLog {
    private TransportLog() {}

    public static void error(String message) {
        System.getLogger("org.ulfmj.transport").log(System.Logger.Level.ERROR, message);
    }
}
