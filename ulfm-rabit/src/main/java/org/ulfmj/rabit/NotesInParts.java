package org.ulfmj.rabit;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.runtime.recovery.AgreedNotes;

/**
 * Tells notes of any length to all ranks, in as many agreements as they need, because one agreement has little room per
 * rank. The first agreement tells the lengths of all notes, so all live ranks make the same number of agreements. If
 * one agreement counts a rank as failed, or meets another kind of call, its result is the result of the whole exchange.
 */
final class NotesInParts {
    private static final int HEAD_BYTES = Integer.BYTES;

    private final Agreements agreements;

    NotesInParts(Agreements agreements) {
        this.agreements = agreements;
    }

    /**
     * Makes agreements. In each of them every rank tells all others a part of its note, of at most
     * {@link #mostNoteBytes}.
     */
    interface Agreements {
        /** The longest note that fits into one agreement. */
        int mostNoteBytes();

        /** @param part not longer than {@link #mostNoteBytes} */
        AgreedNotes agreeOnPart(byte[] part);
    }

    /**
     * Tells all ranks this note, and returns the notes of all; or the result of the first agreement that counts a rank
     * as failed or meets another kind of call. Every rank has to call this method.
     */
    AgreedNotes agree(byte[] note) {
        int room = agreements.mostNoteBytes();
        byte[] first = Arrays.copyOf(
                ByteBuffer.allocate(HEAD_BYTES).putInt(note.length).array(), Math.min(room, HEAD_BYTES + note.length));
        System.arraycopy(note, 0, first, HEAD_BYTES, first.length - HEAD_BYTES);
        AgreedNotes agreed = agreements.agreeOnPart(first);
        if (!isWhole(agreed)) {
            return agreed;
        }
        SortedMap<Integer, ByteBuffer> whole = new TreeMap<>();
        int longest = 0;
        for (SortedMap.Entry<Integer, byte[]> part : agreed.notes().entrySet()) {
            ByteBuffer begun = ByteBuffer.wrap(part.getValue());
            int length = begun.getInt();
            whole.put(part.getKey(), ByteBuffer.allocate(length).put(begun));
            longest = Math.max(longest, length);
        }
        for (int told = room - HEAD_BYTES; told < longest; told += room) {
            int from = Math.min(told, note.length);
            byte[] next = Arrays.copyOfRange(note, from, from + Math.min(room, note.length - from));
            agreed = agreements.agreeOnPart(next);
            if (!isWhole(agreed)) {
                return agreed;
            }
            for (SortedMap.Entry<Integer, byte[]> part : agreed.notes().entrySet()) {
                whole.get(part.getKey()).put(part.getValue());
            }
        }
        SortedMap<Integer, byte[]> notes = new TreeMap<>();
        for (SortedMap.Entry<Integer, ByteBuffer> each : whole.entrySet()) {
            notes.put(each.getKey(), each.getValue().array());
        }
        return new AgreedNotes(true, SlotSet.EMPTY, notes);
    }

    private static boolean isWhole(AgreedNotes agreed) {
        return agreed.isOfThisKindOnly() && agreed.failed().isEmpty();
    }
}
