package org.ulfmj.launch.process;

/** A process on another host. The launcher asks the agent there to do to the process what it cannot do directly. */
public interface Remote {
    /**
     * Has the agent send a signal to the process.
     *
     * @param name without SIG
     * @param toGroup whether the children in its process group get the signal too
     */
    void signal(String name, boolean toGroup);

    /** The launcher wants the process to end. */
    void condemned();

    /**
     * The last state letter of the process that the agent has reported, {@code R} if it has reported none; once the
     * process has ended, that of a process that is gone.
     */
    char state();
}
