package org.ulfmj.benchmarks.micro;

import org.ulfmj.agree.SurvivorCore;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.benchmarks.reproduce.DecisionsOnly;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.Timing;

/**
 * A world of the shipped state machines in memory. Each agreement consists of a call of every rank and the messages
 * that follow, which are taken from a queue one by one.
 */
final class CoreWorld {
    private static final long COMMUNICATOR = 1;
    private static final Contribution MINE = new Contribution(Kind.AGREE, -1, SlotSet.ALL);

    private final Membership membership;
    private final SurvivorCore[] cores;
    private final Outbox<ProcessId, ControlMessage> outbox = this::send;
    private ProcessId[] senders;
    private int[] targets;
    private ControlMessage[] messages;
    private int head;
    private int tail;
    private int entered;
    private int running;
    private long decided;

    CoreWorld(int ranks) {
        membership = Membership.initial(ranks);
        cores = new SurvivorCore[ranks];
        int room = Integer.highestOneBit(4 * ranks);
        senders = new ProcessId[room];
        targets = new int[room];
        messages = new ControlMessage[room];
        Timing timing = Timing.fromTimeout(Timing.DEFAULT_DETECTOR_TIMEOUT_NS);
        Decisions effects = new Decisions();
        for (int rank = 0; rank < ranks; rank++) {
            cores[rank] = new SurvivorCore(membership.process(rank), membership, timing, effects, 0);
            running = rank;
            cores[rank].register(COMMUNICATOR, membership.slots(), 0, outbox);
        }
        entered = ranks;
        while (head != tail) {
            step();
        }
    }

    /** Makes one rank's call, or delivers one message. When no message is left, begins the next agreement by a call. */
    void step() {
        if (entered < cores.length) {
            running = entered++;
            cores[running].enter(COMMUNICATOR, MINE, 0, outbox);
            return;
        }
        if (head == tail) {
            entered = 0;
            step();
            return;
        }
        int at = head++ & (messages.length - 1);
        running = targets[at];
        ControlMessage message = messages[at];
        messages[at] = null;
        cores[running].onMessage(senders[at], message, 0, outbox);
    }

    SurvivorCore core(int rank) {
        return cores[rank];
    }

    Outbox<ProcessId, ControlMessage> outbox() {
        return outbox;
    }

    /** The number of decisions so far, over all ranks. */
    long decided() {
        return decided;
    }

    private void send(ProcessId to, ControlMessage message) {
        if (tail - head == messages.length) {
            throw new IllegalStateException("more than " + messages.length + " messages are on their way");
        }
        int at = tail++ & (messages.length - 1);
        senders[at] = membership.process(running);
        targets[at] = to.slot();
        messages[at] = message;
    }

    /** Counts decisions. A silence, death, departure or revocation is an error. */
    private final class Decisions extends DecisionsOnly {
        @Override
        public void decided(long communicator, long sequence, Decision decision) {
            decided++;
        }
    }
}
