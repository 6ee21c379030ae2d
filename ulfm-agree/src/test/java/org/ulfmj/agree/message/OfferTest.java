package org.ulfmj.agree.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

class OfferTest {
    @Test
    void shouldNotMatterInWhichOrderOffersAreCombined() {
        Random random = new Random(1);
        for (int trial = 0; trial < 2_000; trial++) {
            Offer a = any(random);
            Offer b = any(random);
            Offer c = any(random);
            assertThat(a.combine(b)).isEqualTo(b.combine(a));
            assertThat(a.combine(b).combine(c)).isEqualTo(a.combine(b.combine(c)));
            assertThat(a.combine(a)).isEqualTo(a);
            assertThat(a.combine(b).combine(b)).isEqualTo(a.combine(b));
            assertThat(Offer.NONE.combine(a)).isSameAs(a);
        }
    }

    @Test
    void shouldPreferTheNextIncarnationAndOfOneNameTheHigherNonce() {
        Offer offer = of(contact(1, 9)).combine(of(contact(2, 3))).combine(of(contact(2, 5)));
        assertThat(offer.replacement(4, 1)).isEqualTo(contact(2, 5));
        assertThat(offer.replacement(4, 2)).isNull();
        assertThat(offer.replacement(5, 0)).isNull();
    }

    @Test
    void shouldNameNoProcessWhereNotAllFit() {
        Offer half = many(0);
        Offer all = half.combine(many(1));
        assertThat(half.isTooLong()).isFalse();
        assertThat(all.isTooLong()).isTrue();
        assertThat(all.newcomers()).isEmpty();
        assertThat(many(1).combine(half)).isEqualTo(all);
        assertThat(all.combine(half)).isEqualTo(all);
    }

    @Test
    void shouldNameTheFirstJoinersWhereNotAllFit() {
        Joins all = Joins.of(joiners(0, 60, Contact.MAX_ADDRESS_BYTES), 100, false);
        int fit = Joins.MAX_BYTES / (Contact.MAX_ADDRESS_BYTES + 20);
        assertThat(all.first()).containsExactlyElementsOf(new TreeSet<>(joiners(0, fit, Contact.MAX_ADDRESS_BYTES)));
        assertThat(all.cut().nonce()).isEqualTo(fit);
        Offer joiners = Offer.NONE.with(all);
        assertThat(many(0).combine(many(1)).combine(joiners).joins()).isEqualTo(all);
    }

    @Test
    void shouldNameNoJoinerBehindOneThatDidNotFit() {
        Joins first = Joins.of(joiners(0, 23, Contact.MAX_ADDRESS_BYTES), 100, false);
        Joins wide = Joins.of(joiners(50, 51, Contact.MAX_ADDRESS_BYTES), 100, false);
        Joins narrow = Joins.of(joiners(60, 61, 0), 100, false);
        assertThat(first.combine(narrow).first()).as("alone it fits").hasSize(24);
        Joins late = first.combine(wide).combine(narrow);
        assertThat(late.first()).isEqualTo(first.first());
        assertThat(late.cut().nonce()).isEqualTo(50);
        assertThat(first.combine(wide.combine(narrow))).isEqualTo(late);
    }

    @Test
    void shouldRefuseACutThatWouldFit() {
        WireWriter out = new WireWriter(1_000);
        Offer.NONE.with(Joins.of(joiners(1, 2, 0), 100, false)).writeTo(out);
        byte[] bytes = out.toByteArray();
        int hasCut = bytes.length - (1 + Integer.BYTES + joiners(1, 2, 0).size() * 20);
        assertThat(Offer.readFrom(new WireReader(bytes)).joins().cut()).isNull();
        assertThat(bytes[hasCut]).isZero();
        bytes[hasCut] = 1;
        WireWriter withCut = new WireWriter(1_000);
        withCut.putBytes(bytes).putInt(0).putInt(0).putLong(2).putInt(0);
        assertThatThrownBy(() -> Offer.readFrom(new WireReader(withCut.toByteArray())))
                .isInstanceOf(WireFormatException.class)
                .hasMessageContaining("with room for it");
    }

    @Test
    void shouldNotMatterInWhichOrderLongListsOfJoinersAreCombined() {
        Random random = new Random(2);
        for (int trial = 0; trial < 300; trial++) {
            Joins a = anyLong(random);
            Joins b = anyLong(random);
            Joins c = anyLong(random);
            assertThat(a.combine(b)).isEqualTo(b.combine(a));
            assertThat(a.combine(b).combine(c)).isEqualTo(a.combine(b.combine(c)));
            assertThat(a.combine(a)).isEqualTo(a);
            assertThat(a.combine(b).combine(a)).isEqualTo(a.combine(b));
        }
    }

    private static List<Joiner> joiners(long from, long to, int addressBytes) {
        List<Joiner> joiners = new ArrayList<>();
        for (long nonce = from; nonce < to; nonce++) {
            joiners.add(new Joiner(0, 0, nonce, new byte[addressBytes]));
        }
        return joiners;
    }

    /**
     * Returns about half of sixty joiners. Their addresses differ much in length, and not all sixty fit into an offer.
     */
    private static Joins anyLong(Random random) {
        List<Joiner> joiners = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            if (random.nextBoolean()) {
                int addressBytes = (i * 7919 + random.nextInt(2) * 100) % Contact.MAX_ADDRESS_BYTES;
                joiners.add(new Joiner(0, i / 10, 1_000 - i, new byte[addressBytes]));
            }
        }
        return Joins.of(joiners, 1 + random.nextInt(3), random.nextBoolean());
    }

    /**
     * Returns an offer for every second slot, whose addresses need more than half of the bytes that an offer may have.
     */
    private static Offer many(int first) {
        SortedMap<Integer, Contact> newcomers = new TreeMap<>();
        for (int slot = first; slot < 120; slot += 2) {
            newcomers.put(slot, new Contact(new ProcessId(slot, 1), 1, new byte[Contact.MAX_ADDRESS_BYTES]));
        }
        return new Offer(newcomers, SlotSet.EMPTY, false, false);
    }

    private static Contact contact(int incarnation, long nonce) {
        return new Contact(new ProcessId(4, incarnation), nonce, new byte[0]);
    }

    private static Offer of(Contact contact) {
        SortedMap<Integer, Contact> newcomers = new TreeMap<>();
        newcomers.put(contact.process().slot(), contact);
        return new Offer(newcomers, SlotSet.EMPTY, false, false);
    }

    private static Offer any(Random random) {
        SortedMap<Integer, Contact> newcomers = new TreeMap<>();
        for (int slot = 0; slot < 3; slot++) {
            if (random.nextBoolean()) {
                ProcessId process = new ProcessId(slot, 1 + random.nextInt(2));
                newcomers.put(slot, new Contact(process, random.nextInt(2), new byte[random.nextInt(2)]));
            }
        }
        List<Joiner> joins = new ArrayList<>();
        for (long nonce = 0; nonce < 3; nonce++) {
            if (random.nextInt(3) == 0) {
                joins.add(new Joiner(random.nextInt(2), random.nextInt(2), nonce, new byte[random.nextInt(2)]));
            }
        }
        return new Offer(newcomers, SlotSet.of(random.nextInt(3)), random.nextBoolean(), random.nextBoolean())
                .with(random.nextBoolean() ? Joins.NONE : Joins.of(joins, 1 + random.nextInt(3), random.nextBoolean()));
    }
}
