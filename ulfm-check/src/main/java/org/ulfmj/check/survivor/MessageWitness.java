package org.ulfmj.check.survivor;

import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.Simulation;

/** Recognizes, from the messages that one rank sends, takeovers, re-polls and new rounds of agreements. */
public final class MessageWitness {
    public static final String TAKEOVER = "a takeover";
    public static final String REPOLL = "a re-poll";
    public static final String NEW_ROUND = "a new round";

    private enum Last {
        UP,
        REQUEST,
        NEXT_ROUND
    }

    private record Sent(Last last, long step) {}

    private record Key(long communicator, long sequence) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int byCommunicator = Long.compare(communicator, other.communicator);
            return byCommunicator != 0 ? byCommunicator : Long.compare(sequence, other.sequence);
        }
    }

    private final Simulation world;
    private final Map<Key, Sent> lastSent = new TreeMap<>();
    private long step;

    MessageWitness(Simulation world) {
        this.world = world;
    }

    /** Watches the messages of one step. */
    public Outbox<ProcessId, ControlMessage> over(Outbox<ProcessId, ControlMessage> out) {
        step++;
        return (to, message) -> {
            see(message);
            out.send(to, message);
        };
    }

    private void see(ControlMessage message) {
        if (message instanceof ControlMessage.Up up) {
            lastSent.put(key(up), new Sent(Last.UP, step));
        } else if (message instanceof ControlMessage.NextRound next) {
            if (next.round() > 0) {
                world.cover(NEW_ROUND);
            }
            lastSent.put(key(next), new Sent(Last.NEXT_ROUND, step));
        } else if (message instanceof ControlMessage.ResultRequest request) {
            Sent before = lastSent.put(key(request), new Sent(Last.REQUEST, step));
            if (before == null || before.last() == Last.UP) {
                // The rank's last message about this agreement was its value to its parent, or it has sent none yet.
                // Now it asks its children for the decision: it has become the root.
                world.cover(TAKEOVER);
            } else if (before.step() < step) {
                // The rank has asked its children, or begun a new round, in an earlier step. Probably one of them has
                // died since, and the rank asks the children of the dead one.
                world.cover(REPOLL);
            }
        }
    }

    private static Key key(ControlMessage.OfAgreement message) {
        return new Key(message.communicator(), message.sequence());
    }
}
