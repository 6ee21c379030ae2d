package org.ulfmj.rendezvous.client;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.ulfmj.rendezvous.RecordedListener;

/** Records most events that a launcher is told of, and lets a test on another thread wait for one of them. */
final class QueuedListener extends RecordedListener {
    private final BlockingQueue<String> heard;

    QueuedListener() {
        this(new LinkedBlockingQueue<>());
    }

    private QueuedListener(BlockingQueue<String> heard) {
        super(heard);
        this.heard = heard;
    }

    /** Waits for one line of the record, and discards it and those that come before it. */
    void await(String wanted) throws InterruptedException {
        String line = heard.poll(60, TimeUnit.SECONDS);
        while (!wanted.equals(line)) {
            if (line == null) {
                throw new AssertionError("never heard: " + wanted);
            }
            line = heard.poll(60, TimeUnit.SECONDS);
        }
    }

    /** Whether one line is among those recorded so far; it and the lines before it are discarded, else all lines. */
    boolean hasHeard(String wanted) {
        String line = heard.poll();
        while (line != null && !wanted.equals(line)) {
            line = heard.poll();
        }
        return line != null;
    }
}
