package org.ulfmj.agree.record;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;

/**
 * Values that belong to agreements of one communicator, by the numbers of the agreements, ascending. There are only a
 * few, so they lie in an array that is searched from its end, where the latest are. Looking up or removing a value
 * makes no object. Not thread-safe.
 */
public final class SequenceMap<T> extends AbstractMap<Long, T> {
    private static final int FIRST_ROOM = 4;

    private long[] sequences = new long[FIRST_ROOM];
    private Object[] values = new Object[FIRST_ROOM];
    private int size;

    @Override
    public int size() {
        return size;
    }

    /** The value at a number; null if there is none. */
    public T at(long sequence) {
        int index = find(sequence);
        return index < 0 ? null : value(index);
    }

    public boolean has(long sequence) {
        return find(sequence) >= 0;
    }

    /** The number at an index of the ascending order, 0 ≤ index &lt; size. */
    public long sequence(int index) {
        return sequences[index];
    }

    @SuppressWarnings("unchecked") // add() puts nothing else there
    public T value(int index) {
        return (T) values[index];
    }

    /** Adds a value. False, and nothing is changed, if there is a value of this number. */
    public boolean add(long sequence, T value) {
        int index = find(sequence);
        if (index >= 0) {
            return false;
        }
        if (size == values.length) {
            sequences = Arrays.copyOf(sequences, 2 * size);
            values = Arrays.copyOf(values, 2 * size);
        }
        int place = -index - 1;
        System.arraycopy(sequences, place, sequences, place + 1, size - place);
        System.arraycopy(values, place, values, place + 1, size - place);
        sequences[place] = sequence;
        values[place] = value;
        size++;
        return true;
    }

    /** Removes the value of a number, and returns it; null if there was none. */
    public T drop(long sequence) {
        int index = find(sequence);
        if (index < 0) {
            return null;
        }
        T dropped = value(index);
        close(index, index + 1);
        return dropped;
    }

    /** Removes the values of the numbers {@code from} to {@code to}, both included. */
    public void dropAll(long from, long to) {
        int first = 0;
        while (first < size && sequences[first] < from) {
            first++;
        }
        int end = first;
        while (end < size && sequences[end] <= to) {
            end++;
        }
        close(first, end);
    }

    private void close(int from, int to) {
        System.arraycopy(sequences, to, sequences, from, size - to);
        System.arraycopy(values, to, values, from, size - to);
        int left = size - (to - from);
        Arrays.fill(values, left, size, null);
        size = left;
    }

    /** The index of a number, or −1 − the index at which it would be inserted. */
    private int find(long sequence) {
        int index = size - 1;
        while (index >= 0 && sequences[index] > sequence) {
            index--;
        }
        return index >= 0 && sequences[index] == sequence ? index : -index - 2;
    }

    @Override
    public Set<Map.Entry<Long, T>> entrySet() {
        return new Entries();
    }

    private final class Entries extends AbstractSet<Map.Entry<Long, T>> {
        @Override
        public int size() {
            return size;
        }

        @Override
        public Iterator<Map.Entry<Long, T>> iterator() {
            return new InOrder();
        }
    }

    private final class InOrder implements Iterator<Map.Entry<Long, T>> {
        private int index;

        @Override
        public boolean hasNext() {
            return index < size;
        }

        @Override
        public Map.Entry<Long, T> next() {
            if (index == size) {
                throw new NoSuchElementException("no more agreements");
            }
            int now = index++;
            return Map.entry(sequences[now], value(now));
        }
    }
}
