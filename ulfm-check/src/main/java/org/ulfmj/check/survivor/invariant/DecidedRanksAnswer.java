package org.ulfmj.check.survivor.invariant;

import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.check.survivor.Journal;
import org.ulfmj.check.survivor.SurvivorRank;
import org.ulfmj.check.survivor.Watch;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.Violation;

/**
 * A process that is late gets the decision: a rank that keeps a decision sends it, in the same step, to each member
 * that sends the rank another message of that agreement than a decision or a goodbye, also after the rank's program has
 * freed the communicator. Members that the rank has marked failed, or whose messages it holds until a drain is over,
 * are excepted.
 */
public final class DecidedRanksAnswer implements Watch {
    /** The event's name in the coverage line. */
    public static final String EVENT = "a decision told after its communicator was freed";

    private final Simulation world;
    private final Journal journal;
    private ControlMessage.OfAgreement question;
    private SurvivorRank asked;
    private ProcessId asker;

    DecidedRanksAnswer(Simulation world, Journal journal) {
        this.world = world;
        this.journal = journal;
    }

    @Override
    public void stepBegins(SurvivorRank rank, ProcessId from, ControlMessage message) {
        question = null;
        if (message instanceof ControlMessage.OfAgreement about
                && !(message instanceof ControlMessage.Down)
                && !(message instanceof ControlMessage.Goodbye)
                && !rank.failures().hasFailed(from)
                && journal.decision(
                                about.communicator(),
                                about.sequence(),
                                rank.id().slot())
                        != null
                && rank.core().agreements().storedDecision(about.communicator(), about.sequence()) != null) {
            question = about;
            asked = rank;
            asker = from;
        }
    }

    @Override
    public void sends(SurvivorRank rank, ProcessId to, ControlMessage message) {
        if (question != null
                && to.equals(asker)
                && message instanceof ControlMessage.Down down
                && down.communicator() == question.communicator()
                && down.sequence() == question.sequence()) {
            if (!rank.registered().containsKey(down.communicator())) {
                world.cover(EVENT);
            }
            question = null;
        }
    }

    @Override
    public void afterStep(SimProcess<?, ?> process) {
        if (question != null && !asked.core().holdsUntilDrained(asker)) {
            throw new Violation(
                    name() + ": " + process + " has decided, but does not answer " + question + " of " + asker);
        }
    }
}
