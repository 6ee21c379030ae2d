package org.ulfmj.runtime;

import org.agrona.collections.Long2ObjectHashMap;

/**
 * Many first-in first-out queues in one hash table, each under a (source, tag) where either may be the wildcard.
 * Finding the head of a queue, adding to its end and taking any entry out cost the same however many entries there are,
 * and allocate nothing once the table has grown.
 *
 * @param <T> what the queues hold
 */
final class KeyedQueues<T> {
    /** An entry's place in one queue; made once with the entry and used again and again. */
    static final class Link<T> {
        final T entry;
        private Queue<T> queue;
        private Link<T> previous;
        private Link<T> next;

        Link(T entry) {
            this.entry = entry;
        }

        boolean isQueued() {
            return queue != null;
        }
    }

    private static final class Queue<T> {
        long key;
        Link<T> head;
        Link<T> tail;
        Queue<T> nextIdle;
    }

    private final Long2ObjectHashMap<Queue<T>> queues = new Long2ObjectHashMap<>();
    private Queue<T> idle;
    private int size;

    static long key(int source, int tag) {
        return (long) source << 32 | tag & 0xffff_ffffL;
    }

    int size() {
        return size;
    }

    /** The oldest entry under a key, or null. */
    T first(long key) {
        Queue<T> queue = queues.get(key);
        return queue == null ? null : queue.head.entry;
    }

    /** The entry that came after this one in its queue, or null. */
    T after(Link<T> link) {
        return link.next == null ? null : link.next.entry;
    }

    void append(long key, Link<T> link) {
        Queue<T> queue = queues.get(key);
        if (queue == null) {
            queue = take(key);
            queues.put(key, queue);
            queue.head = link;
        } else {
            link.previous = queue.tail;
            queue.tail.next = link;
        }
        queue.tail = link;
        link.queue = queue;
        size++;
    }

    /** Takes an entry out of its queue; nothing happens if it is in none. */
    void remove(Link<T> link) {
        Queue<T> queue = link.queue;
        if (queue == null) {
            return;
        }
        if (link.previous == null) {
            queue.head = link.next;
        } else {
            link.previous.next = link.next;
        }
        if (link.next == null) {
            queue.tail = link.previous;
        } else {
            link.next.previous = link.previous;
        }
        link.queue = null;
        link.previous = null;
        link.next = null;
        size--;
        if (queue.head == null) {
            queues.remove(queue.key);
            queue.nextIdle = idle;
            idle = queue;
        }
    }

    private Queue<T> take(long key) {
        Queue<T> queue = idle;
        if (queue == null) {
            queue = new Queue<>();
        } else {
            idle = queue.nextIdle;
        }
        queue.key = key;
        return queue;
    }
}
