package org.ulfmj.rendezvous;

import java.util.ArrayDeque;
import java.util.Deque;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;
import org.ulfmj.rendezvous.message.RendezvousMessage;

/**
 * The signals and the question for one process that it may not have read, because its connection may be replaced at any
 * time: they are sent again on each new connection. The process acts on each signal once, by its number. Not
 * thread-safe; part of the core.
 */
final class UnheardWords {
    private static final int MOST_SIGNALS = 16;

    private final Deque<RendezvousMessage.Signal> signals = new ArrayDeque<>();
    private long lastSignal;
    /** Null while no question is open. */
    private RendezvousMessage.AskWaits question;

    /** Returns the message for the next signal. Only the last 16 signals are sent again. */
    RendezvousMessage.Signal signal(String name) {
        RendezvousMessage.Signal signal = new RendezvousMessage.Signal(++lastSignal, name);
        signals.addLast(signal);
        if (signals.size() > MOST_SIGNALS) {
            signals.removeFirst();
        }
        return signal;
    }

    /** Returns the message for a question, which takes the place of the one before. */
    RendezvousMessage.AskWaits ask(long request) {
        question = new RendezvousMessage.AskWaits(request);
        return question;
    }

    void writeImage(WireWriter out) {
        out.putLong(lastSignal).putInt(signals.size());
        for (RendezvousMessage.Signal signal : signals) {
            CoreImage.putMaybe(out, signal);
        }
        CoreImage.putMaybe(out, question);
    }

    void readImage(WireReader in) {
        lastSignal = in.getLong();
        int count = in.getInt();
        in.requireCount(count, 1, "signals");
        for (int i = 0; i < count; i++) {
            signals.addLast((RendezvousMessage.Signal) CoreImage.getMaybeMessage(in));
        }
        question = (RendezvousMessage.AskWaits) CoreImage.getMaybeMessage(in);
    }

    void answered(long request) {
        if (question != null && question.request() == request) {
            question = null;
        }
    }

    void tellAgain(long nonce, Outbox<Long, RendezvousMessage> out) {
        for (RendezvousMessage.Signal signal : signals) {
            out.send(nonce, signal);
        }
        if (question != null) {
            out.send(nonce, question);
        }
    }
}
