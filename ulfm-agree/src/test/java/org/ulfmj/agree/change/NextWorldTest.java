package org.ulfmj.agree.change;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.ulfmj.agree.message.Ancestry;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.ControlCodec;
import org.ulfmj.agree.message.ControlMessage.Welcome;
import org.ulfmj.agree.message.Joiner;
import org.ulfmj.agree.message.Joins;
import org.ulfmj.agree.message.Offer;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;

/**
 * Checks worlds that are made from others: many, one after another, each by a random decision, and one in which not all
 * joiners have room.
 */
class NextWorldTest {
    private final Random random = new Random(5);

    @Test
    void shouldNeverUseASlotForTwoProcessesNorAProcessTwice() {
        for (int trial = 0; trial < 300; trial++) {
            SortedMap<Integer, Contact> members = founders();
            Ancestry ancestry = Ancestry.of(members.lastKey());
            SortedMap<ProcessId, Long> holders = new TreeMap<>();
            for (int step = 0; step < 12; step++) {
                SlotSet failed = some(members);
                int most = 1 + random.nextInt(6);
                Offer offer = offer(members, most);
                NextWorld next = NextWorld.of(members, ancestry, failed, offer);
                requireRight(members, failed, offer, most, next);
                SortedSet<Long> nonces = new TreeSet<>();
                for (Contact member : next.members().values()) {
                    Long known = holders.putIfAbsent(member.process(), member.nonce());
                    assertThat(known == null || known == member.nonce()).isTrue();
                    assertThat(nonces.add(member.nonce())).isTrue();
                    assertThat(ancestry.past()).doesNotContain(member.nonce());
                }
                assertThat(next.ancestry().next()).isGreaterThanOrEqualTo(ancestry.next());
                if (next.members().isEmpty()) {
                    break;
                }
                members = next.members();
                ancestry = next.ancestry();
            }
        }
    }

    @Test
    void shouldLetInOnlyAsManyJoinersAsAWelcomeHasRoomFor() {
        SortedMap<Integer, Contact> members = new TreeMap<>();
        for (int slot = 0; slot < 240; slot++) {
            members.put(slot, new Contact(ProcessId.of(slot), 1_000 + slot, new byte[Contact.MAX_ADDRESS_BYTES]));
        }
        List<Joiner> joins = new ArrayList<>();
        for (int nonce = 0; nonce < 20; nonce++) {
            joins.add(new Joiner(0, nonce, nonce, new byte[Contact.MAX_ADDRESS_BYTES]));
        }
        Offer offer = Offer.NONE.with(Joins.of(joins, 1_000, false));
        NextWorld next = NextWorld.of(members, Ancestry.of(239), SlotSet.EMPTY, offer);
        assertThat(next.newcomers().size()).isBetween(1, 19);
        assertThat(Welcome.lengthBytes(next.members(), next.ancestry(), next.newcomers()))
                .isBetween(ControlCodec.MAX_BYTES - 2_000, ControlCodec.MAX_BYTES);
        assertThat(next.members().get(240).nonce()).isZero();
    }

    private static void requireRight(
            SortedMap<Integer, Contact> before, SlotSet failed, Offer offer, int most, NextWorld next) {
        int kept = 0;
        for (Contact member : before.values()) {
            int slot = member.process().slot();
            boolean stays = !failed.contains(slot);
            kept += stays ? 1 : 0;
            assertThat(member.equals(next.members().get(slot))).isEqualTo(stays);
            boolean isFilled =
                    !stays && offer.replacement(slot, member.process().incarnation()) != null;
            assertThat(next.missing().contains(slot)).isEqualTo(!stays && !isFilled);
            kept += isFilled ? 1 : 0;
        }
        assertThat(next.members().size()).isLessThanOrEqualTo(Math.max(most, kept));
        assertThat(next.differsFrom(before)).isEqualTo(!next.members().equals(before));
        assertThat(next.newcomers().isEmpty())
                .isEqualTo(before.values().containsAll(next.members().values()));
    }

    private static SortedMap<Integer, Contact> founders() {
        SortedMap<Integer, Contact> members = new TreeMap<>();
        for (int slot = 0; slot < 3; slot++) {
            members.put(slot, new Contact(ProcessId.of(slot), 1_000 + slot, new byte[0]));
        }
        return members;
    }

    private SlotSet some(SortedMap<Integer, Contact> members) {
        SlotSet some = SlotSet.EMPTY;
        for (int slot : members.keySet()) {
            some = random.nextInt(4) == 0 ? some.with(slot) : some;
        }
        return some;
    }

    /**
     * Returns an offer of replacements and joiners. The joiners are drawn from a few, so many are offered again after
     * they were let in.
     */
    private Offer offer(SortedMap<Integer, Contact> members, int most) {
        SortedMap<Integer, Contact> newcomers = new TreeMap<>();
        for (Contact member : members.values()) {
            ProcessId process = member.process();
            if (random.nextInt(3) == 0) {
                ProcessId newer = new ProcessId(process.slot(), process.incarnation() + 1);
                newcomers.put(
                        process.slot(), new Contact(newer, 10_000L * newer.incarnation() + newer.slot(), new byte[0]));
            }
        }
        List<Joiner> joins = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            long nonce = random.nextInt(8);
            joins.add(new Joiner((int) (nonce % 3), random.nextInt(2), nonce, new byte[0]));
        }
        return new Offer(newcomers, SlotSet.EMPTY, false, false).with(Joins.of(joins, most, false));
    }
}
