package org.ulfmj.runtime.message;

import org.agrona.collections.Long2ObjectHashMap;

/**
 * Many first-in first-out queues in one hash table, each under a key of source and tag, of which either may be the
 * wildcard. Finding the head of a queue, adding to its end and taking any entry out cost the same however many entries
 * there are, and allocate nothing once the table has grown.
 *
 * <p>Messages come again and again under the same few keys. So a queue that becomes empty stays in the table until
 * {@link #KEPT_EMPTY} others have become empty after it, and the queues that were found last are found again without
 * the table.
 *
 * @param <T> what the queues hold
 */
public final class KeyedQueues<T> {
    /** How many empty queues the table keeps. */
    public static final int KEPT_EMPTY = 64;

    private static final int RECENT_BITS = 3;
    private static final long SPREAD = 0x9e37_79b9_7f4a_7c15L;

    /** The place of an entry in a queue; made once with the entry and used again and again. */
    public static final class Link<T> {
        private final T entry;
        private Queue<T> queue;
        private Link<T> previous;
        private Link<T> next;

        public Link(T entry) {
            this.entry = entry;
        }

        public boolean isQueued() {
            return queue != null;
        }
    }

    private static final class Queue<T> {
        long key;
        Link<T> head;
        Link<T> tail;
        /**
         * The neighbour before this queue in the list of empty queues. {@link #emptiedAfter} is the neighbour behind
         * it, and also links queues that are in no table.
         */
        Queue<T> emptiedBefore;

        Queue<T> emptiedAfter;
    }

    private final Long2ObjectHashMap<Queue<T>> queues = new Long2ObjectHashMap<>();
    private final Queue<T>[] recent = newRecent();
    /**
     * The queue that became empty first, of those in the list of empty queues; {@link #lastEmptied} is the other end.
     */
    private Queue<T> firstEmptied;

    private Queue<T> lastEmptied;
    private int empty;
    private Queue<T> idle;
    private int size;
    private long looks;

    public static long key(int source, int tag) {
        return (long) source << 32 | tag & 0xffff_ffffL;
    }

    public int size() {
        return size;
    }

    /** How often {@link #first} and {@link #after} were called: the cost of searches. */
    public long looks() {
        return looks;
    }

    /** Returns the oldest entry under a key, or null. */
    public T first(long key) {
        looks++;
        Queue<T> queue = find(key);
        return queue == null || queue.head == null ? null : queue.head.entry;
    }

    /** Returns the entry that came after this one in its queue, or null. */
    public T after(Link<T> link) {
        looks++;
        return link.next == null ? null : link.next.entry;
    }

    public void append(long key, Link<T> link) {
        Queue<T> queue = find(key);
        if (queue == null) {
            queue = take(key);
            queues.put(key, queue);
            recent[place(key)] = queue;
        } else if (queue.head == null) {
            leaveEmpty(queue);
        }
        if (queue.head == null) {
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
    public void remove(Link<T> link) {
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
            joinEmpty(queue);
            if (empty > KEPT_EMPTY) {
                drop(firstEmptied);
            }
        }
    }

    private Queue<T> find(long key) {
        int place = place(key);
        Queue<T> queue = recent[place];
        if (queue != null && queue.key == key) {
            return queue;
        }
        queue = queues.get(key);
        if (queue != null) {
            recent[place] = queue;
        }
        return queue;
    }

    private static int place(long key) {
        return (int) (key * SPREAD >>> Long.SIZE - RECENT_BITS);
    }

    private void joinEmpty(Queue<T> queue) {
        queue.emptiedBefore = lastEmptied;
        if (lastEmptied == null) {
            firstEmptied = queue;
        } else {
            lastEmptied.emptiedAfter = queue;
        }
        lastEmptied = queue;
        empty++;
    }

    private void leaveEmpty(Queue<T> queue) {
        if (queue.emptiedBefore == null) {
            firstEmptied = queue.emptiedAfter;
        } else {
            queue.emptiedBefore.emptiedAfter = queue.emptiedAfter;
        }
        if (queue.emptiedAfter == null) {
            lastEmptied = queue.emptiedBefore;
        } else {
            queue.emptiedAfter.emptiedBefore = queue.emptiedBefore;
        }
        queue.emptiedBefore = null;
        queue.emptiedAfter = null;
        empty--;
    }

    private void drop(Queue<T> queue) {
        leaveEmpty(queue);
        queues.remove(queue.key);
        if (recent[place(queue.key)] == queue) {
            recent[place(queue.key)] = null;
        }
        queue.emptiedAfter = idle;
        idle = queue;
    }

    private Queue<T> take(long key) {
        Queue<T> queue = idle;
        if (queue == null) {
            queue = new Queue<>();
        } else {
            idle = queue.emptiedAfter;
            queue.emptiedAfter = null;
        }
        queue.key = key;
        return queue;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <T> Queue<T>[] newRecent() {
        return new Queue[1 << RECENT_BITS];
    }
}
