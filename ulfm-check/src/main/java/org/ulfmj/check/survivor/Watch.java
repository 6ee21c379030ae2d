package org.ulfmj.check.survivor;

import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.Invariant;

/**
 * An invariant that sees which message each step of a rank takes, and which messages the rank sends in that step.
 * {@link #stepBegins} is called when the rank calls its core, in some steps more than once, then {@link #sends} for
 * each message, and, if the rank did not crash in the step, {@link #afterStep}.
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
     * Called when the rank sends a message. If the rank dies in the midst of this step, the messages that it would have
     * sent after its death are reported too.
     */
    default void sends(SurvivorRank rank, ProcessId to, ControlMessage message) {}
}
