package org.ulfmj.check.survivor;

import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.Invariant;

/**
 * An invariant about the messages of a rank, and the messages that they answer. A step is {@link #stepBegins},
 * {@link #sends} for each message, and, if the rank survived the step, {@link #afterStep}.
 */
public interface Watch extends Invariant {
    /**
     * A rank begins a step.
     *
     * @param from the sender of the message; null if the step takes no message
     * @param message the message that the step takes, or null
     */
    default void stepBegins(SurvivorRank rank, ProcessId from, ControlMessage message) {}

    /**
     * The rank sends a message. If it is cut off in this step, the messages that it would have sent after that are
     * reported too.
     */
    default void sends(SurvivorRank rank, ProcessId to, ControlMessage message) {}
}
