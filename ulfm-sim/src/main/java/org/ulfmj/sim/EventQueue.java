package org.ulfmj.sim;

import java.util.Arrays;

/**
 * Future events in the order of virtual time. Events of one instant come in three classes, each in the order of
 * scheduling: inputs first, then timers, then events of class {@link Order#WATCH}. A timer therefore runs only after
 * all inputs that were scheduled for its instant before it runs.
 */
public final class EventQueue {
    /** The class of an event: events of one instant come in the order of their classes. */
    public enum Order {
        INPUT,
        TIMER,
        WATCH
    }

    private static final int ORDER_SHIFT = 60;

    private long[] timesNs = new long[256];
    private long[] keys = new long[256];
    private Runnable[] events = new Runnable[256];
    private int size;
    private long scheduled;
    private long nowNs;

    /** A queue whose time begins at 0. */
    public EventQueue() {
        this(0);
    }

    /** A queue whose time begins at {@code startNs}. */
    public EventQueue(long startNs) {
        nowNs = startNs;
    }

    /**
     * Returns the present time: at first that at which the queue's time begins, then that of the event that runs or ran
     * last, or a later one to which {@link #passTime} has moved on.
     */
    public long nowNs() {
        return nowNs;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /** Returns the time of the next event; the queue must not be empty. */
    public long nextNs() {
        if (size == 0) {
            throw new IllegalStateException("no event is scheduled");
        }
        return timesNs[0];
    }

    /** Schedules an event; a time in the past means now. */
    public void at(long timeNs, Order order, Runnable event) {
        if (size == events.length) {
            timesNs = Arrays.copyOf(timesNs, 2 * size);
            keys = Arrays.copyOf(keys, 2 * size);
            events = Arrays.copyOf(events, 2 * size);
        }
        long key = ((long) order.ordinal() << ORDER_SHIFT) | scheduled++;
        siftUp(size++, Math.max(timeNs, nowNs), key, event);
    }

    /** Schedules an input; a time in the past means now. */
    public void at(long timeNs, Runnable event) {
        at(timeNs, Order.INPUT, event);
    }

    /** Moves time on to {@code untilNs} if no event is scheduled up to then; returns whether no event was. */
    public boolean passTime(long untilNs) {
        if (size > 0 && timesNs[0] <= untilNs) {
            return false;
        }
        nowNs = Math.max(nowNs, untilNs);
        return true;
    }

    /** Runs the next event. */
    public void runNext() {
        nowNs = nextNs();
        Runnable event = events[0];
        size--;
        long lastNs = timesNs[size];
        long lastKey = keys[size];
        Runnable last = events[size];
        events[size] = null;
        if (size > 0) {
            siftDown(lastNs, lastKey, last);
        }
        event.run();
    }

    private void siftUp(int start, long timeNs, long key, Runnable event) {
        int hole = start;
        while (hole > 0) {
            int parent = (hole - 1) >>> 1;
            if (!isBefore(timeNs, key, parent)) {
                break;
            }
            move(parent, hole);
            hole = parent;
        }
        put(hole, timeNs, key, event);
    }

    private void siftDown(long timeNs, long key, Runnable event) {
        int hole = 0;
        for (int child = 1; child < size; child = 2 * hole + 1) {
            if (child + 1 < size && isBefore(timesNs[child + 1], keys[child + 1], child)) {
                child++;
            }
            if (isBefore(timeNs, key, child)) {
                break;
            }
            move(child, hole);
            hole = child;
        }
        put(hole, timeNs, key, event);
    }

    private boolean isBefore(long timeNs, long key, int index) {
        return timeNs != timesNs[index] ? timeNs < timesNs[index] : key < keys[index];
    }

    private void move(int from, int to) {
        put(to, timesNs[from], keys[from], events[from]);
    }

    private void put(int index, long timeNs, long key, Runnable event) {
        timesNs[index] = timeNs;
        keys[index] = key;
        events[index] = event;
    }
}
