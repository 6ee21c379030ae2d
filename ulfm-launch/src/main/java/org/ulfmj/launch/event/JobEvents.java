package org.ulfmj.launch.event;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The queue of a job's events, in the order in which the launcher's main thread takes them. Any thread puts events in.
 */
public final class JobEvents implements Consumer<JobEvent> {
    private final LinkedBlockingQueue<JobEvent> queue = new LinkedBlockingQueue<>();

    @Override
    public void accept(JobEvent event) {
        queue.add(event);
    }

    /** Returns an action that puts this event into the queue each time it is run. */
    public Runnable putting(JobEvent event) {
        return new Putting(this, event);
    }

    /**
     * The next event.
     *
     * @param atMostNs how long to wait for it; {@link Long#MAX_VALUE} for as long as it takes
     * @return null if none came in time
     */
    public JobEvent take(long atMostNs) {
        try {
            return atMostNs == Long.MAX_VALUE ? queue.take() : queue.poll(Math.max(0, atMostNs), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException("the launcher's main thread is never interrupted", e);
        }
    }

    private record Putting(JobEvents events, JobEvent event) implements Runnable {
        @Override
        public void run() {
            events.accept(event);
        }
    }
}
