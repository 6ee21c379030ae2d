package org.ulfmj.launch.process;

/** A process on another host: what this process cannot do to it itself is asked of the agent there. */
public interface Remote {
    /**
     * Sends a signal.
     *
     * @param name without SIG
     * @param toGroup whether the children in its group get the signal too
     */
    void signal(String name, boolean toGroup);

    /** The launcher wants the process to end. */
    void condemned();

    /** The last state letter that the agent has told; {@code R} if none that stands still. */
    char state();
}
