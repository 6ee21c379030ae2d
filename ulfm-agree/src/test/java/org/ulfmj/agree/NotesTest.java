package org.ulfmj.agree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.agree.message.Notes;
import org.ulfmj.protocol.SlotSet;

class NotesTest {
    private static final int RANKS = 5;

    @Test
    void shouldTellAllMembersWhatEachWroteWhenTheySumUp() {
        Crowd crowd = new Crowd(RANKS);
        for (int slot = 0; slot < RANKS; slot++) {
            crowd.enter(slot, summary(slot));
        }
        crowd.settle();
        Decision decision = crowd.commonDecision(1);
        assertThat(decision.isOnly(Kind.SUMMARY)).isTrue();
        assertThat(decision.notes()).hasSize(RANKS);
        assertThat(decision.notes().get(3)).containsExactly(3, 30);
        assertThat(crowd.sent).isEqualTo(2 * (RANKS - 1));
    }

    @Test
    void shouldKeepTheNotesOfAllWhoLiveWhenSomeDie() {
        Crowd crowd = new Crowd(RANKS);
        for (int slot = 1; slot < RANKS; slot++) {
            crowd.enter(slot, summary(slot));
        }
        crowd.crash(0);
        crowd.settle();
        Decision decision = crowd.commonDecision(1);
        assertThat(decision.failed()).isEqualTo(SlotSet.of(0));
        assertThat(decision.notes().keySet()).containsExactly(1, 2, 3, 4);
    }

    @Test
    void shouldConfirmACommitByASecondAgreementAndReturnTheNotesOfTheFirst() {
        Crowd crowd = new Crowd(RANKS);
        for (int slot = 0; slot < RANKS; slot++) {
            crowd.enter(slot, new Contribution(Kind.COMMIT, slot == 2 ? 0 : 1, SlotSet.ALL, new byte[] {(byte) slot}));
        }
        crowd.settle();
        Decision decision = crowd.commonDecision(1);
        assertThat(decision.isOnly(Kind.COMMIT)).isTrue();
        assertThat(decision.flag(Kind.COMMIT)).isZero();
        assertThat(decision.notes()).hasSize(RANKS);
        assertThat(crowd.sent).isEqualTo(4 * (RANKS - 1));
        assertThat(crowd.member(0).core.agreements().last(Crowd.COMM)).isEqualTo(2);
    }

    @Test
    void shouldEndACommitWithItsFirstAgreementWhenOthersSumUp() {
        Crowd crowd = new Crowd(2);
        crowd.enter(0, new Contribution(Kind.COMMIT, 1, SlotSet.ALL, new byte[1]));
        crowd.enter(1, summary(1));
        crowd.settle();
        assertThat(crowd.commonDecision(1).kinds()).containsOnlyKeys(Kind.COMMIT, Kind.SUMMARY);
        assertThat(crowd.member(0).core.agreements().last(Crowd.COMM)).isEqualTo(1);
    }

    @Test
    void shouldRefuseANoteOfWhichAllTogetherDoNotFit() {
        Crowd crowd = new Crowd(RANKS);
        assertThatThrownBy(() -> crowd.enter(0, new Contribution(Kind.SUMMARY, -1, SlotSet.ALL, new byte[30_000])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a note of 30000 bytes in an agreement of 5; at most 26206 are allowed");
        crowd.enter(0, new Contribution(Kind.SUMMARY, -1, SlotSet.ALL, new byte[26_206]));
        assertThat(crowd.member(0).core.agreements().last(Crowd.COMM)).isEqualTo(1);
    }

    @Test
    void shouldShareOneObjectWhereNoMemberWroteAnything() {
        Notes some = Notes.of(3, new byte[] {1});
        assertThat(Notes.of(3, null)).isSameAs(Notes.NONE);
        assertThat(Notes.NONE.union(Notes.NONE)).isSameAs(Notes.NONE);
        assertThat(Notes.NONE.union(some)).isSameAs(some);
        assertThat(some.union(Notes.NONE)).isSameAs(some);
    }

    @Test
    void shouldBeEqualByContentAndReadLikeASortedMap() {
        SortedMap<Integer, byte[]> source = new TreeMap<>();
        for (int slot : new int[] {8, 1, 5}) {
            source.put(slot, new byte[] {(byte) slot});
        }
        Notes notes = Notes.of(source);
        Notes same =
                Notes.of(5, new byte[] {5}).union(Notes.of(1, new byte[] {1})).union(Notes.of(8, new byte[] {8}));
        assertThat(notes.equals(same)).isTrue();
        assertThat(notes.hashCode()).isEqualTo(same.hashCode());
        assertThat(notes.equals(same.union(Notes.of(2, new byte[1])))).isFalse();
        assertThat(notes.keySet()).containsExactly(1, 5, 8);
        assertThat(notes.firstKey()).isEqualTo(1);
        assertThat(notes.lastKey()).isEqualTo(8);
        assertThat(notes.get(5)).containsExactly(5);
        assertThat(notes.get(4)).isNull();
        assertThat(notes.tailMap(5).keySet()).containsExactly(5, 8);
        assertThat(notes.headMap(5).keySet()).containsExactly(1);
        assertThat(notes.subMap(2, 6).keySet()).containsExactly(5);
    }

    private static Contribution summary(int slot) {
        return new Contribution(Kind.SUMMARY, -1, SlotSet.ALL, new byte[] {(byte) slot, (byte) (10 * slot)});
    }
}
