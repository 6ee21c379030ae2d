package org.ulfmj.launch.event;

import java.util.ArrayDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The queue of a job's events. Any thread puts events in, and the launcher's main thread takes them out. */
public final class JobEvents implements Consumer<JobEvent> {
    private record PutOff(JobEvent event, long dueNs) {}

    /** How long an event that is {@linkplain #putOff put off} waits at least until {@link #take} returns it again. */
    private static final long PUT_OFF_NS = 20_000_000;

    private final LinkedBlockingQueue<JobEvent> queue = new LinkedBlockingQueue<>();
    private final ArrayDeque<PutOff> putOff = new ArrayDeque<>();

    @Override
    public void accept(JobEvent event) {
        queue.add(event);
    }

    /** Puts an event back: {@link #take} returns it 20 ms from now or later. Only for the thread that takes events. */
    public void putOff(JobEvent event) {
        putOff.addLast(new PutOff(event, System.nanoTime() + PUT_OFF_NS));
    }

    /** Returns an action that puts this event into the queue each time it is run. */
    public Runnable putting(JobEvent event) {
        return new Putting(this, event);
    }

    /**
     * Takes the next event out of the queue, or else returns an event that was put off for long enough.
     *
     * @param atMostNs how long to wait for it; {@link Long#MAX_VALUE} for as long as it takes
     * @return null if no event came in time
     */
    public JobEvent take(long atMostNs) {
        PutOff first = putOff.peekFirst();
        if (first == null) {
            return await(atMostNs);
        }
        JobEvent other = await(Math.min(atMostNs, first.dueNs - System.nanoTime()));
        if (other != null || first.dueNs - System.nanoTime() > 0) {
            return other;
        }
        return putOff.removeFirst().event;
    }

    private JobEvent await(long atMostNs) {
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
