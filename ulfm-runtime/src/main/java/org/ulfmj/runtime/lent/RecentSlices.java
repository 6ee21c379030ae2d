package org.ulfmj.runtime.lent;

/**
 * Some hundred of the slices that the program has made last, of lent buffers and of slices of them. A program may make
 * a slice per message. So a slice is noted here cheaply, and newer slices replace it; it gets a place in the table of
 * {@link Lending} only at the second large message that lies in it.
 */
final class RecentSlices {
    /** A slice that was noted. */
    static final class Note extends LentBuffer {
        /** Whether a large message has lain in the slice. */
        private boolean isUsed;

        private Note(Object slice, long id, int offset) {
            super(slice, id, offset);
        }

        /** Notes that a large message lies in the slice. Returns whether one has lain there before. */
        boolean use() {
            boolean wasUsed = isUsed;
            isUsed = true;
            return wasUsed;
        }
    }

    private static final int PLACES = 512;
    /** In how many places of the table a slice may be noted, from the place of its hash on. */
    private static final int WAYS = 8;

    private final Note[] notes = new Note[PLACES + WAYS - 1];
    private int turn;

    /** Notes that a slice begins at an offset of the lent memory with that id, in bytes. */
    void add(Object slice, long id, int offset) {
        int first = placeOf(slice);
        int at = first + (turn++ & WAYS - 1);
        for (int way = 0; way < WAYS; way++) {
            Note old = notes[first + way];
            if (old == null || old.refersTo(null)) {
                at = first + way;
                break;
            }
        }
        notes[at] = new Note(slice, id, offset);
    }

    /** Returns the note of a slice; null if there is none. */
    Note find(Object slice) {
        int first = placeOf(slice);
        for (int way = 0; way < WAYS; way++) {
            Note note = notes[first + way];
            if (note != null && note.refersTo(slice)) {
                return note;
            }
        }
        return null;
    }

    private static int placeOf(Object slice) {
        return System.identityHashCode(slice) & PLACES - 1;
    }
}
