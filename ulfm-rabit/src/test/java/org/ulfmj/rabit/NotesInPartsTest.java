package org.ulfmj.rabit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.runtime.recovery.AgreedNotes;

class NotesInPartsTest {
    private static final int ROOM = 7;

    /**
     * The agreements as one rank sees them. The notes of the other ranks are known beforehand, and are cut as the rank
     * under test must cut its own.
     */
    private static final class Others implements NotesInParts.Agreements {
        private final SortedMap<Integer, byte[]> notes;
        private final int failsIn;
        private int agreements;

        Others(SortedMap<Integer, byte[]> notes, int failsIn) {
            this.notes = notes;
            this.failsIn = failsIn;
        }

        @Override
        public int mostNoteBytes() {
            return ROOM;
        }

        @Override
        public AgreedNotes agreeOnPart(byte[] part) {
            assertThat(part).hasSizeLessThanOrEqualTo(ROOM);
            SortedMap<Integer, byte[]> parts = new TreeMap<>();
            for (SortedMap.Entry<Integer, byte[]> each : notes.entrySet()) {
                parts.put(each.getKey(), part(each.getValue(), agreements));
            }
            parts.put(0, part);
            agreements++;
            return new AgreedNotes(true, agreements == failsIn ? SlotSet.of(2) : SlotSet.EMPTY, parts);
        }

        private static byte[] part(byte[] note, int index) {
            byte[] all = new byte[Integer.BYTES + note.length];
            all[3] = (byte) note.length;
            System.arraycopy(note, 0, all, Integer.BYTES, note.length);
            int from = Math.min(all.length, index * ROOM);
            return Arrays.copyOfRange(all, from, Math.min(all.length, from + ROOM));
        }
    }

    private static byte[] bytes(int length, int first) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (first + i);
        }
        return bytes;
    }

    private static SortedMap<Integer, byte[]> notes(int... lengths) {
        SortedMap<Integer, byte[]> notes = new TreeMap<>();
        for (int slot = 0; slot < lengths.length; slot++) {
            notes.put(slot, bytes(lengths[slot], 10 * slot));
        }
        return notes;
    }

    @Test
    void shouldTellEveryNoteWholeWhateverTheLengthsOfOthers() {
        for (int[] lengths : new int[][] {{0, 0}, {3, 3}, {1, 4}, {4, 1}, {30, 0, 12}, {10, 24, 3}, {3, 100, 45}}) {
            SortedMap<Integer, byte[]> notes = notes(lengths);
            Others others = new Others(notes, -1);

            AgreedNotes agreed = new NotesInParts(others).agree(notes.get(0));

            int longest = Arrays.stream(lengths).max().getAsInt();
            assertThat(agreed.failed().isEmpty()).isTrue();
            assertThat(others.agreements).isEqualTo(Math.max(1, (Integer.BYTES + longest + ROOM - 1) / ROOM));
            assertThat(agreed.notes().keySet()).isEqualTo(notes.keySet());
            for (int slot : notes.keySet()) {
                assertThat(agreed.notes().get(slot)).isEqualTo(notes.get(slot));
            }
        }
    }

    @Test
    void shouldEndWithTheAgreementThatCountsARankAsFailed() {
        SortedMap<Integer, byte[]> notes = notes(30, 30, 30);
        Others others = new Others(notes, 3);

        AgreedNotes agreed = new NotesInParts(others).agree(notes.get(0));

        assertThat(agreed.failed()).isEqualTo(SlotSet.of(2));
        assertThat(others.agreements).isEqualTo(3);
    }
}
