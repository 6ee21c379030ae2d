package org.ulfmj.launch.office;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.server.RendezvousServer;

/**
 * The words of the launcher to the coordinator that must stay true whichever process is the coordinator, such as ends
 * of processes or an abort. They are kept and repeated at the beginning of each term of the launcher, since a word to a
 * coordinator that then lost its office may have had no effect. The coordinator may be told each word any number of
 * times.
 *
 * <p>Any thread; no call waits.
 */
final class LastingWords {
    private final List<Consumer<RendezvousServer>> words = new ArrayList<>();
    private final List<Question> open = new ArrayList<>();

    /** The server of the launcher's present term; null while the launcher is not the coordinator. */
    private RendezvousServer coordinator;

    /**
     * An action that runs once: when all messages that a process had sent have been received and stored, or when the
     * launcher gives up waiting for that.
     */
    private static final class Question implements Consumer<RendezvousServer> {
        private final BiConsumer<RendezvousServer, Runnable> hearing;
        private final Runnable then;
        private final long askedNs;
        private final AtomicBoolean isDone = new AtomicBoolean();

        Question(BiConsumer<RendezvousServer, Runnable> hearing, Runnable then, long askedNs) {
            this.hearing = hearing;
            this.then = then;
            this.askedNs = askedNs;
        }

        @Override
        public void accept(RendezvousServer server) {
            hearing.accept(server, this::finish);
        }

        void finish() {
            if (isDone.compareAndSet(false, true)) {
                then.run();
            }
        }
    }

    synchronized void say(Consumer<RendezvousServer> word) {
        words.add(word);
        if (coordinator != null) {
            word.accept(coordinator);
        }
    }

    /**
     * As {@link RendezvousServer#hearOut(ProcessId, Runnable)}, but asks again at the beginning of each later term of
     * the launcher until there is an answer. The action runs only once.
     */
    void hearOut(ProcessId process, Runnable then, long nowNs) {
        hearOut((server, finish) -> server.hearOut(process, finish), then, nowNs);
    }

    /**
     * As {@link RendezvousServer#hearOut(long, Runnable)}, but asks again at the beginning of each later term of the
     * launcher until there is an answer. The action runs only once.
     */
    void hearOut(LongSupplier nonce, Runnable then, long nowNs) {
        hearOut((server, finish) -> server.hearOut(nonce.getAsLong(), finish), then, nowNs);
    }

    private synchronized void hearOut(BiConsumer<RendezvousServer, Runnable> hearing, Runnable then, long nowNs) {
        Question question = new Question(hearing, then, nowNs);
        open.add(question);
        if (coordinator != null) {
            question.accept(coordinator);
        }
    }

    /**
     * A term of the launcher as coordinator begins, with this server: repeats all kept words and unanswered questions
     * to it.
     */
    synchronized void begin(RendezvousServer server) {
        coordinator = server;
        for (Consumer<RendezvousServer> word : words) {
            word.accept(server);
        }
        dropDone();
        for (Question question : open) {
            question.accept(server);
        }
    }

    /** A term of the launcher as coordinator has ended. */
    synchronized void end() {
        coordinator = null;
    }

    private void dropDone() {
        open.removeIf(question -> question.isDone.get());
    }

    /** When the oldest question that still has no answer was asked; {@link Long#MAX_VALUE} if there is none. */
    synchronized long oldestNs() {
        dropDone();
        return open.isEmpty() ? Long.MAX_VALUE : open.get(0).askedNs;
    }

    /**
     * Runs the actions of all unanswered questions, though it is not known that all messages were received. Returns how
     * many there were.
     */
    int giveUp() {
        List<Question> left;
        synchronized (this) {
            dropDone();
            left = List.copyOf(open);
            open.clear();
        }
        for (Iterator<Question> each = left.iterator(); each.hasNext(); ) {
            each.next().finish();
        }
        return left.size();
    }
}
