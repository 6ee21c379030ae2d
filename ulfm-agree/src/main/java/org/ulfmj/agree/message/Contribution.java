package org.ulfmj.agree.message;

import org.ulfmj.protocol.SlotSet;

/**
 * What a rank brings into an agreement.
 *
 * @param kind the call that the rank made
 * @param flag combined by bitwise AND; all ones where the kind has none, and for a member of the second group of an
 *     inter-communicator
 * @param second the same for a second value: the flag of a member of the second group; else all ones
 * @param acknowledged slots whose failure the rank has acknowledged; {@link SlotSet#ALL} where failures are no error
 * @param note bytes that all members read in the decision under the rank's slot; null for none. Not to be changed any
 *     more, and not longer than {@link #mostNoteBytes}
 */
public record Contribution(Kind kind, int flag, int second, SlotSet acknowledged, byte[] note) {
    /** A contribution without a note. */
    public Contribution(Kind kind, int flag, SlotSet acknowledged) {
        this(kind, flag, -1, acknowledged, null);
    }

    /** A contribution with a note. */
    public Contribution(Kind kind, int flag, SlotSet acknowledged, byte[] note) {
        this(kind, flag, -1, acknowledged, note);
    }

    /** A contribution to an agreement of an inter-communicator. */
    public static Contribution ofGroup(Kind kind, int flag, boolean isOfFirst, SlotSet acknowledged) {
        return new Contribution(kind, isOfFirst ? flag : -1, isOfFirst ? -1 : flag, acknowledged, null);
    }

    /** The most bytes of a note if each of this many members writes one, because all notes travel in one message. */
    public static int mostNoteBytes(int members) {
        return Notes.mostBytes(members);
    }
}
