package org.ulfmj.agree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.AgreementValue;
import org.ulfmj.agree.message.Ancestry;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.ControlCodec;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Freed;
import org.ulfmj.agree.message.Joiner;
import org.ulfmj.agree.message.Joins;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.agree.message.Offer;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

class ControlCodecTest {
    @Test
    void shouldReadWhatItWrote() {
        Random random = new Random(3);
        for (int trial = 0; trial < 20_000; trial++) {
            ControlMessage message = anyMessage(random);
            assertThat(ControlCodec.decode(new WireReader(ControlCodec.encode(message))))
                    .isEqualTo(message);
        }
    }

    @Test
    void shouldRefuseEveryPrefixAndEveryExtraByte() {
        Random random = new Random(4);
        for (int trial = 0; trial < 500; trial++) {
            byte[] bytes = ControlCodec.encode(anyMessage(random));
            for (int length = 0; length < bytes.length; length++) {
                byte[] prefix = Arrays.copyOf(bytes, length);
                assertThatThrownBy(() -> ControlCodec.decode(new WireReader(prefix)))
                        .isInstanceOf(WireFormatException.class);
            }
            byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
            assertThatThrownBy(() -> ControlCodec.decode(new WireReader(longer)))
                    .isInstanceOf(WireFormatException.class);
        }
    }

    @Test
    void shouldReadDamagedBytesAsAMessageThatItCanWriteOrNotAtAll() {
        Random random = new Random(5);
        int refused = 0;
        for (int trial = 0; trial < 50_000; trial++) {
            byte[] bytes = ControlCodec.encode(anyMessage(random));
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                ControlMessage read = ControlCodec.decode(new WireReader(bytes));
                assertThat(ControlCodec.decode(new WireReader(ControlCodec.encode(read))))
                        .isEqualTo(read);
            } catch (WireFormatException e) {
                refused++;
            }
        }
        assertThat(refused).isBetween(25_000, 31_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 16, 255})
    void shouldRefuseAnUnknownType(int type) {
        assertThatThrownBy(() -> ControlCodec.decode(new WireReader(new byte[] {(byte) type})))
                .isInstanceOf(WireFormatException.class)
                .hasMessage("control message of unknown type " + type);
    }

    @Test
    void shouldNotAllocateForACountThatTheBytesCannotHold() {
        WireWriter out = new WireWriter(100);
        out.putByte(9).putLong(1).putLong(1).putInt(0).putInt(Integer.MAX_VALUE);

        assertThatThrownBy(() -> ControlCodec.decode(new WireReader(out.toByteArray())))
                .isInstanceOf(WireFormatException.class)
                .hasMessage("2147483647 slots do not fit into 0 bytes");
    }

    @Test
    void shouldRefuseTheSetOfAllWhereOnlyAListMakesSense() {
        WireWriter out = new WireWriter(100);
        out.putByte(9).putLong(1).putLong(1).putInt(0).putInt(-1);

        assertThatThrownBy(() -> ControlCodec.decode(new WireReader(out.toByteArray())))
                .isInstanceOf(WireFormatException.class)
                .hasMessage("all slots as failed processes");
    }

    @Test
    void shouldRefuseAnAgreementWithoutMembersAndKindsOutOfOrder() {
        WireWriter memberless = new WireWriter(100);
        memberless
                .putByte(7)
                .putLong(1)
                .putLong(1)
                .putByte(0)
                .putByte(0)
                .putInt(0)
                .putLong(0)
                .putLong(0);
        WireWriter twice = new WireWriter(100);
        twice.putByte(7).putLong(1).putLong(1).putByte(2);
        twice.putByte(3).putInt(0).putInt(0).putByte(3).putInt(0).putInt(0);

        assertThatThrownBy(() -> ControlCodec.decode(new WireReader(memberless.toByteArray())))
                .isInstanceOf(WireFormatException.class)
                .hasMessage("an agreement of no process");
        assertThatThrownBy(() -> ControlCodec.decode(new WireReader(twice.toByteArray())))
                .isInstanceOf(WireFormatException.class)
                .hasMessage("kind 3 is unknown or out of order");
    }

    @Test
    void shouldBeBriefWhereNothingTroublesAnAgreement() {
        Random random = new Random(6);
        for (int trial = 0; trial < 1_000; trial++) {
            ControlMessage up = untroubledUp(random);
            ControlMessage down = untroubledDown(random);

            assertThat(ControlCodec.encode(up)).hasSize(27);
            assertThat(ControlCodec.encode(down)).hasSize(27);
            assertThat(ControlCodec.decode(new WireReader(ControlCodec.encode(up))))
                    .isEqualTo(up);
            assertThat(ControlCodec.decode(new WireReader(ControlCodec.encode(down))))
                    .isEqualTo(down);
        }
    }

    @Test
    void shouldRefuseTheLongFormOfWhatIsBrief() {
        WireWriter out = new WireWriter(100);
        out.putByte(7).putLong(1).putLong(4).putByte(1);
        out.putByte(3).putInt(0).putInt(0);
        out.putByte(0).putInt(0).putLong(3).putLong(3);

        assertThatThrownBy(() -> ControlCodec.decode(new WireReader(out.toByteArray())))
                .isInstanceOf(WireFormatException.class)
                .hasMessage("a decision in the long form that fits the brief one");
    }

    @Test
    void shouldCutALongReasonInsteadOfRefusingIt() {
        Evidence evidence = new Evidence(Evidence.Kind.CERTAIN, ProcessId.of(0), "x".repeat(100_000));
        ControlMessage message = new ControlMessage.Detector(new DetectorMessage.Obituary(ProcessId.of(1), evidence));

        byte[] bytes = ControlCodec.encode(message);

        assertThat(bytes).hasSizeLessThan(ControlCodec.MAX_REASON + 50);
        assertThat(ControlCodec.decode(new WireReader(bytes)).toString()).contains("xxx");
    }

    static ControlMessage anyMessage(Random random) {
        long comm = random.nextLong();
        long sequence = 1 + random.nextInt(5);
        switch (random.nextInt(15)) {
            case 0:
                return new ControlMessage.Detector(new DetectorMessage.Heartbeat());
            case 1:
                return new ControlMessage.Detector(new DetectorMessage.Observe());
            case 2:
                return new ControlMessage.Detector(new DetectorMessage.Unobserve());
            case 3:
                Evidence.Kind kind = Evidence.Kind.values()[random.nextInt(3)];
                return new ControlMessage.Detector(new DetectorMessage.Obituary(
                        anyProcess(random), new Evidence(kind, anyProcess(random), "no heartbeat for 5 s – δ")));
            case 4:
                return new ControlMessage.Revoke(comm, random.nextInt(5), anyMembers(random), random.nextInt(9));
            case 5:
                return new ControlMessage.Up(
                        comm, sequence, random.nextLong(), random.nextInt(4), anyValue(random), anySet(random));
            case 6:
                return new ControlMessage.Down(comm, sequence, anyDecision(random));
            case 7:
                return new ControlMessage.ResultRequest(comm, sequence);
            case 9:
                return new ControlMessage.Detector(new DetectorMessage.Probe());
            case 10:
                return anyWelcome(random);
            case 12:
                return untroubledUp(random);
            case 13:
                return untroubledDown(random);
            case 14:
                return anyFreedList(random);
            case 8:
                return new ControlMessage.NextRound(comm, sequence, random.nextInt(4), anySet(random));
            default:
                return new ControlMessage.Goodbye(comm, sequence, anyDecision(random));
        }
    }

    private static ControlMessage anyFreedList(Random random) {
        List<Freed> named = new ArrayList<>();
        for (int count = random.nextInt(4); count >= 0; count--) {
            named.add(new Freed(random.nextLong(), random.nextInt(5), anyMembers(random)));
        }
        return new ControlMessage.FreedList(random.nextInt(5), random.nextInt(9), 1 + random.nextInt(5), named);
    }

    private static ControlMessage untroubledUp(Random random) {
        long sequence = 1 + random.nextInt(5);
        boolean stores = random.nextBoolean();
        SortedMap<Kind, Integer> kind = oneKind(random);
        AgreementValue value = new AgreementValue(
                kind,
                flags(kind, random),
                SlotSet.EMPTY,
                random.nextBoolean() ? SlotSet.ALL : SlotSet.EMPTY,
                stores ? sequence - 1 : Long.MAX_VALUE,
                stores ? sequence - 1 : 0);
        return new ControlMessage.Up(random.nextLong(), sequence, 0, 0, value, SlotSet.EMPTY);
    }

    private static ControlMessage untroubledDown(Random random) {
        long sequence = 1 + random.nextInt(5);
        boolean stores = random.nextBoolean();
        SortedMap<Kind, Integer> kind = oneKind(random);
        Decision decision = new Decision(
                kind,
                flags(kind, random),
                false,
                SlotSet.EMPTY,
                stores ? sequence - 1 : Long.MAX_VALUE,
                stores ? sequence - 1 : 0);
        return new ControlMessage.Down(random.nextLong(), sequence, decision);
    }

    private static SortedMap<Kind, Integer> oneKind(Random random) {
        SortedMap<Kind, Integer> kinds = new TreeMap<>();
        kinds.put(Kind.values()[random.nextInt(Kind.values().length)], random.nextInt(1000));
        return kinds;
    }

    private static AgreementValue anyValue(Random random) {
        SortedMap<Kind, Integer> kinds = anyKinds(random);
        SlotSet acknowledged = random.nextBoolean() ? SlotSet.ALL : anySet(random);
        return new AgreementValue(
                kinds,
                flags(kinds, random),
                anySet(random),
                acknowledged,
                random.nextInt(9),
                random.nextInt(9),
                anyNotes(random),
                anyOffer(random),
                anySecond(random));
    }

    private static Decision anyDecision(Random random) {
        SortedMap<Kind, Integer> kinds = anyKinds(random);
        return new Decision(
                kinds,
                flags(kinds, random),
                random.nextBoolean(),
                anySet(random),
                random.nextInt(9),
                random.nextBoolean() ? Long.MAX_VALUE : 0,
                anyNotes(random),
                anyOffer(random),
                anySecond(random));
    }

    private static int anySecond(Random random) {
        return random.nextBoolean() ? -1 : random.nextInt();
    }

    private static ControlMessage anyWelcome(Random random) {
        SortedMap<Integer, Contact> members = anyContacts(random);
        members.put(7, new Contact(new ProcessId(7, 1), 3, new byte[3]));
        SortedSet<ProcessId> failed = new TreeSet<>();
        for (int count = random.nextInt(4); count > 0; count--) {
            failed.add(anyProcess(random));
        }
        Ancestry ancestry = random.nextBoolean() ? Ancestry.of(members.lastKey()) : anyAncestry(members, random);
        Admission admission = new Admission(1 + random.nextInt(5), random.nextLong(), members, ancestry);
        return new ControlMessage.Welcome(admission, anySet(random), failed);
    }

    private static Ancestry anyAncestry(SortedMap<Integer, Contact> members, Random random) {
        SortedSet<Long> past = new TreeSet<>();
        for (int count = random.nextInt(4); count > 0; count--) {
            past.add(random.nextLong());
        }
        return new Ancestry(1 + random.nextInt(5), 5 + members.lastKey() + random.nextInt(5), past);
    }

    private static Joins anyJoiners(Random random) {
        List<Joiner> joiners = new ArrayList<>();
        boolean areTooMany = random.nextInt(200) == 0;
        for (int count = areTooMany ? 30 : random.nextInt(2) * random.nextInt(4); count > 0; count--) {
            byte[] address = new byte[areTooMany ? Contact.MAX_ADDRESS_BYTES : random.nextInt(20)];
            random.nextBytes(address);
            joiners.add(new Joiner(random.nextInt(9), random.nextInt(9), random.nextLong(), address));
        }
        return random.nextBoolean() ? Joins.NONE : Joins.of(joiners, 1 + random.nextInt(9), random.nextBoolean());
    }

    private static Offer anyOffer(Random random) {
        return random.nextBoolean()
                ? random.nextBoolean() ? Offer.NONE : Offer.keeping(anySet(random))
                : new Offer(
                                anyContacts(random),
                                random.nextInt(4) == 0 ? SlotSet.ALL : anySet(random),
                                random.nextBoolean(),
                                random.nextBoolean())
                        .with(anyJoiners(random));
    }

    private static SortedMap<Integer, Contact> anyContacts(Random random) {
        SortedMap<Integer, Contact> contacts = new TreeMap<>();
        for (int count = random.nextInt(4); count > 0; count--) {
            ProcessId process = anyProcess(random);
            byte[] address = new byte[random.nextInt(20)];
            random.nextBytes(address);
            contacts.put(process.slot(), new Contact(process, random.nextLong(), address));
        }
        return contacts;
    }

    private static SortedMap<Integer, byte[]> anyNotes(Random random) {
        SortedMap<Integer, byte[]> notes = new TreeMap<>();
        for (int count = random.nextInt(2) * random.nextInt(4); count > 0; count--) {
            byte[] note = new byte[random.nextInt(20)];
            random.nextBytes(note);
            notes.put(random.nextInt(50), note);
        }
        return notes;
    }

    private static SortedMap<Kind, Integer> anyKinds(Random random) {
        SortedMap<Kind, Integer> kinds = new TreeMap<>();
        for (int count = 1 + random.nextInt(3); count > 0; count--) {
            kinds.put(Kind.values()[random.nextInt(Kind.values().length)], random.nextInt(1000));
        }
        return kinds;
    }

    private static SortedMap<Kind, Integer> flags(SortedMap<Kind, Integer> kinds, Random random) {
        SortedMap<Kind, Integer> flags = new TreeMap<>();
        kinds.keySet().forEach(kind -> flags.put(kind, random.nextInt()));
        return flags;
    }

    private static SlotSet anySet(Random random) {
        return SlotSet.of(random.ints(random.nextInt(5), 0, 1000).toArray());
    }

    private static SlotRuns anyMembers(Random random) {
        return SlotRuns.of(random.ints(random.nextInt(9), 0, 50).distinct().toArray());
    }

    private static ProcessId anyProcess(Random random) {
        return new ProcessId(random.nextInt(100), random.nextInt(3));
    }
}
