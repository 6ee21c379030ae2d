package org.ulfmj.agree.message;

import org.ulfmj.protocol.SlotSet;

/**
 * What a rank brings into an agreement.
 *
 * @param kind which call it made
 * @param flag combined by bitwise AND; all ones where the kind has none
 * @param acknowledged slots whose failure it has acknowledged; {@link SlotSet#ALL} where failures are no error
 * @param note what all are to read in the decision, by its slot; null for nothing. Not to be changed any more, and not
 *     longer than {@link #mostNoteBytes}
 */
public record Contribution(Kind kind, int flag, SlotSet acknowledged, byte[] note) {
    /** Without a note. */
    public Contribution(Kind kind, int flag, SlotSet acknowledged) {
        this(kind, flag, acknowledged, null);
    }

    /** This long may the note of each of this many members be: all of them travel in one message. */
    public static int mostNoteBytes(int members) {
        return Notes.mostBytes(members);
    }
}
