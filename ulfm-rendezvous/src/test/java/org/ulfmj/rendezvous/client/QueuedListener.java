package org.ulfmj.rendezvous.client;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.ulfmj.rendezvous.RecordedListener;

/** What a launcher was told, for a test on another thread to wait for. */
final class QueuedListener extends RecordedListener {
    private final BlockingQueue<String> heard;

    QueuedListener() {
        this(new LinkedBlockingQueue<>());
    }

    private QueuedListener(BlockingQueue<String> heard) {
        super(heard);
        this.heard = heard;
    }

    /** Waits for one piece of news, and passes over others that come before it. */
    void await(String wanted) throws InterruptedException {
        String line = heard.poll(60, TimeUnit.SECONDS);
        while (!wanted.equals(line)) {
            if (line == null) {
                throw new AssertionError("never heard: " + wanted);
            }
            line = heard.poll(60, TimeUnit.SECONDS);
        }
    }

    /** Whether one piece of news has come; others that came before it are passed over. */
    boolean hasHeard(String wanted) {
        String line = heard.poll();
        while (line != null && !wanted.equals(line)) {
            line = heard.poll();
        }
        return line != null;
    }
}
