package org.ulfmj.agree;

/**
 * Ids of communicators that are over, each for the rest of the job: a table of plain numbers, 16 to 32 bytes an id. Ids
 * are hashes already, so their low bits say where to look.
 */
final class IdSet {
    private static final int SMALLEST = 16;

    private long[] table = new long[SMALLEST];
    private int count;
    /** 0 means an empty place in the table. */
    private boolean holdsZero;

    int size() {
        return count + (holdsZero ? 1 : 0);
    }

    boolean contains(long id) {
        return id == 0 ? holdsZero : table[place(table, id)] == id;
    }

    /** False if it is there already. */
    boolean add(long id) {
        if (contains(id)) {
            return false;
        }
        if (id == 0) {
            holdsZero = true;
            return true;
        }
        if (2 * (count + 1) > table.length) {
            grow();
        }
        table[place(table, id)] = id;
        count++;
        return true;
    }

    private void grow() {
        long[] old = table;
        table = new long[2 * old.length];
        for (long id : old) {
            if (id != 0) {
                table[place(table, id)] = id;
            }
        }
    }

    /** Where the id is, or could be put. */
    private static int place(long[] table, long id) {
        int at = (int) id & (table.length - 1);
        while (table[at] != 0 && table[at] != id) {
            at = (at + 1) & (table.length - 1);
        }
        return at;
    }
}
