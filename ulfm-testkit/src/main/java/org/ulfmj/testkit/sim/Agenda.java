package org.ulfmj.testkit.sim;

import java.util.Arrays;

/** What will happen, in the order of virtual time; events of one moment in the order in which they were put here. */
final class Agenda {
    private static final int FIRST_ROOM = 256;

    private long[] timesNs = new long[FIRST_ROOM];
    private long[] numbers = new long[FIRST_ROOM];
    private Event[] events = new Event[FIRST_ROOM];
    private int size;
    private long count;

    boolean isEmpty() {
        return size == 0;
    }

    /** When the next event happens; {@link Long#MAX_VALUE} if there is none. */
    long nextNs() {
        return size == 0 ? Long.MAX_VALUE : timesNs[0];
    }

    void at(long timeNs, Event event) {
        if (size == events.length) {
            timesNs = Arrays.copyOf(timesNs, 2 * size);
            numbers = Arrays.copyOf(numbers, 2 * size);
            events = Arrays.copyOf(events, 2 * size);
        }
        long number = count++;
        int hole = size++;
        while (hole > 0) {
            int parent = (hole - 1) >>> 1;
            if (!isBefore(timeNs, number, parent)) {
                break;
            }
            move(parent, hole);
            hole = parent;
        }
        put(hole, timeNs, number, event);
    }

    /** Takes the next event out. */
    Event next() {
        if (size == 0) {
            throw new IllegalStateException("nothing will happen");
        }
        Event first = events[0];
        size--;
        long timeNs = timesNs[size];
        long number = numbers[size];
        Event last = events[size];
        events[size] = null;
        if (size > 0) {
            sink(timeNs, number, last);
        }
        return first;
    }

    private void sink(long timeNs, long number, Event event) {
        int hole = 0;
        for (int child = 1; child < size; child = 2 * hole + 1) {
            if (child + 1 < size && isBefore(timesNs[child + 1], numbers[child + 1], child)) {
                child++;
            }
            if (isBefore(timeNs, number, child)) {
                break;
            }
            move(child, hole);
            hole = child;
        }
        put(hole, timeNs, number, event);
    }

    private boolean isBefore(long timeNs, long number, int index) {
        return timeNs != timesNs[index] ? timeNs < timesNs[index] : number < numbers[index];
    }

    private void move(int from, int to) {
        put(to, timesNs[from], numbers[from], events[from]);
    }

    private void put(int index, long timeNs, long number, Event event) {
        timesNs[index] = timeNs;
        numbers[index] = number;
        events[index] = event;
    }
}
