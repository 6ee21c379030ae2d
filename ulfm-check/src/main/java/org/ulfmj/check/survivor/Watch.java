package org.ulfmj.check.survivor;

import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.Invariant;

/**
 * An invariant about what a rank says, and in answer to what. A step is {@link #stepBegins}, {@link #sends} for each
 * message, and, if the rank survived it, {@link #afterStep}.
 */
public interface Watch extends Invariant {
    /**
     * A rank begins a step.
     *
     * @param from who sent the message; null if the step is none of taking a message
     * @param message what it takes, or null
     */
    default void stepBegins(SurvivorRank rank, ProcessId from, ControlMessage message) {}

    /** The rank sends a message; if it is cut off in this step, also what it would have sent after that. */
    default void sends(SurvivorRank rank, ProcessId to, ControlMessage message) {}
}
