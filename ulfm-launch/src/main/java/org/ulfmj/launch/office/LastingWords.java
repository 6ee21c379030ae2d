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
 * What the launcher says to the coordinator and what has to hold, whichever process is the coordinator: ends of
 * processes, an abort. It is kept and said again at the beginning of each of the launcher's terms, since what was said
 * to a coordinator that was deposed may have had no effect. The coordinator takes each any number of times.
 *
 * <p>Any thread; no call waits.
 */
final class LastingWords {
    private final List<Consumer<RendezvousServer>> words = new ArrayList<>();
    private final List<Question> open = new ArrayList<>();

    /** Null while the launcher is not the coordinator. */
    private RendezvousServer coordinator;

    /** An action that runs once, when all that a process had said is stored. */
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

    /** As {@link RendezvousServer#hearOut(ProcessId, Runnable)}; the action runs once, in whichever term. */
    void hearOut(ProcessId process, Runnable then, long nowNs) {
        hearOut((server, finish) -> server.hearOut(process, finish), then, nowNs);
    }

    /** As {@link RendezvousServer#hearOut(long, Runnable)}; the action runs once, in whichever term. */
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

    /** The launcher is the coordinator, by this server. */
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

    /** The launcher is not the coordinator any more. */
    synchronized void end() {
        coordinator = null;
    }

    private void dropDone() {
        open.removeIf(question -> question.isDone.get());
    }

    /** When the oldest question that is not answered was asked; {@link Long#MAX_VALUE} if all are. */
    synchronized long oldestNs() {
        dropDone();
        return open.isEmpty() ? Long.MAX_VALUE : open.get(0).askedNs;
    }

    /** Runs the actions of all questions, though nothing was heard. Returns how many there were. */
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
