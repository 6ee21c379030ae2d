package org.ulfmj.launch.output;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * The launcher's own lines on their way to stderr. Writing may take for ever, as on a terminal that was stopped by ^S
 * or a pipe whose reader is paused; meanwhile the launcher must replace ranks, obey signals and keep time. So a thread
 * of this class writes, and other threads put their lines into this queue. {@link #accept} returns at once, on any
 * thread.
 *
 * <p>If a text would make more than {@value #MOST_BYTES} bytes wait together with others that wait already, it is
 * dropped, as are those that follow it before all waiting ones have been taken out; the number of dropped texts is
 * written instead.
 */
public final class ReportQueue implements Consumer<byte[]>, Runnable {
    private static final int MOST_BYTES = 1 << 20;

    private final LineSink sink;
    private final Deque<byte[]> waiting = new ArrayDeque<>();
    private int waitingBytes;
    private int dropped;
    private boolean isStarted;
    private boolean isWriting;

    public ReportQueue(LineSink sink) {
        this.sink = sink;
    }

    @Override
    public synchronized void accept(byte[] text) {
        if (dropped > 0 || waitingBytes > 0 && waitingBytes + text.length > MOST_BYTES) {
            dropped++;
            return;
        }
        waiting.add(text);
        waitingBytes += text.length;
        if (!isStarted) {
            isStarted = true;
            Thread thread = new Thread(this, "report");
            thread.setDaemon(true);
            thread.start();
        }
        notifyAll();
    }

    /** Whether no accepted line waits any more or is being written. */
    public synchronized boolean isEmpty() {
        return waiting.isEmpty() && !isWriting;
    }

    @Override
    public void run() {
        while (true) {
            byte[] text = next();
            try {
                sink.write(this, text, text.length);
            } finally {
                written();
            }
        }
    }

    /** Notes that the lines that were being written are finished, even if writing them has failed. */
    private synchronized void written() {
        isWriting = false;
    }

    private synchronized byte[] next() {
        while (waiting.isEmpty()) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IllegalStateException("the thread that writes reports is never interrupted", e);
            }
        }
        isWriting = true;
        byte[] text = waiting.remove();
        waitingBytes -= text.length;
        if (waiting.isEmpty() && dropped > 0) {
            byte[] gap = ("mpiexec: " + dropped + " messages are lost here, because nothing read them\n")
                    .getBytes(StandardCharsets.UTF_8);
            waiting.add(gap);
            waitingBytes += gap.length;
            dropped = 0;
        }
        return text;
    }
}
