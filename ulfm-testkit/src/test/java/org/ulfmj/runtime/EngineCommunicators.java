package org.ulfmj.runtime;

/** Tells which communicators the engine of a rank still has. */
public final class EngineCommunicators {
    private EngineCommunicators() {}

    /**
     * Whether the engine still has this communicator. It drops a communicator that was freed as soon as no operation is
     * open on it.
     */
    public static boolean has(Communicator communicator) {
        RankEngine engine = communicator.runtime().engine();
        return engine.communicators().get(communicator.id()) != null;
    }
}
