package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Compares the datatypes that random nested calls make with a simple reference: a list of the offsets and lengths of
 * their basic elements, as MPI 3.1 section 4.1 defines a type map.
 */
class DatatypePropertiesTest {
    private static final int TYPES = Boolean.getBoolean("tests.whole") ? 6_000 : 1_500;
    private static final long FIRST_SEED = Long.getLong("types.seed", 1);

    /** A basic element of a type: its offset and its length in bytes. */
    private record Entry(long at, int bytes) {}

    /** What a type means, written out. */
    private record Reference(List<Entry> entries, long lower, long upper, boolean areSet, int alignment) {
        static Reference basic(int bytes) {
            return new Reference(List.of(new Entry(0, bytes)), 0, bytes, false, bytes);
        }

        /** Items of other types at places. */
        static Reference of(List<Reference> all, List<Long> allPlaces) {
            List<Reference> items = new ArrayList<>();
            List<Long> places = new ArrayList<>();
            for (int i = 0; i < all.size(); i++) {
                Reference item = all.get(i);
                if (item.areSet || !item.entries.isEmpty()) { // an empty map has no place
                    items.add(item);
                    places.add(allPlaces.get(i));
                }
            }
            List<Entry> entries = new ArrayList<>();
            int alignment = 1;
            boolean areSet = items.stream().anyMatch(item -> item.areSet);
            long lower = Long.MAX_VALUE;
            long upper = Long.MIN_VALUE;
            for (int i = 0; i < items.size(); i++) {
                Reference item = items.get(i);
                long at = places.get(i);
                item.entries.forEach(entry -> entries.add(new Entry(entry.at + at, entry.bytes)));
                alignment = Math.max(alignment, item.alignment);
                if (item.areSet == areSet) {
                    lower = Math.min(lower, item.lower + at);
                    upper = Math.max(upper, item.upper + at);
                }
            }
            if (items.isEmpty()) {
                return new Reference(List.of(), 0, 0, false, 1);
            }
            while (!areSet && (upper - lower) % alignment != 0) {
                upper++;
            }
            return new Reference(entries, lower, upper, areSet, alignment);
        }

        long extent() {
            return upper - lower;
        }

        long size() {
            return entries.stream().mapToLong(Entry::bytes).sum();
        }

        long trueLower() {
            return entries.stream().mapToLong(Entry::at).min().orElse(0);
        }

        long trueUpper() {
            return entries.stream()
                    .mapToLong(entry -> entry.at + entry.bytes)
                    .max()
                    .orElse(0);
        }
    }

    private record Both(Datatype type, Reference reference) {}

    @Test
    void shouldMeanWhatTheTypeMapSays() {
        int withGaps = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + TYPES; seed++) {
            Random random = new Random(seed);
            Both both = derived(random, 1 + random.nextInt(4));
            assertThat(described(both.type)).as("seed %s, %s", seed, both.type).isEqualTo(described(both));
            int items = 1 + random.nextInt(4);
            copies(seed, both, items, random);
            elements(seed, both);
            withGaps += both.type.isPlain() ? 0 : 1;
        }
        assertThat(withGaps).isGreaterThan(TYPES / 4).isLessThan(TYPES);
    }

    @Test
    void shouldHaveTrueBoundsOfItsElementsWhenABlockWithoutElementsComesFirst() {
        Datatype bounds = Datatype.createResized(Datatype.createContiguous(0, MPI.BYTE), 4, 20);
        Datatype type = Datatype.createStruct(new int[] {1, 1}, new int[] {0, 11}, new Datatype[] {bounds, MPI.BYTE});

        assertThat(described(type)).isEqualTo("1 from 4 extent 20, true 11 and 1");
    }

    private static String described(Datatype type) {
        return type.getSize() + " from " + type.getLb() + " extent " + type.getExtent() + ", true " + type.getTrueLb()
                + " and " + type.getTrueExtent();
    }

    private static String described(Both both) {
        Reference map = both.reference;
        int unit = both.type.elements().sizeBytes;
        return map.size() / unit + " from " + map.lower / unit + " extent " + map.extent() / unit + ", true "
                + map.trueLower() / unit + " and " + (map.trueUpper() - map.trueLower()) / unit;
    }

    /**
     * Compares the bytes that are sent and received with those of the reference, when messages come in pieces that end
     * anywhere. Also checks which memory the items fit into.
     */
    private static void copies(long seed, Both both, int items, Random random) {
        Reference map = both.reference;
        List<Entry> all = new ArrayList<>();
        for (int item = 0; item < items; item++) {
            long at = item * map.extent();
            map.entries.forEach(entry -> all.add(new Entry(entry.at + at, entry.bytes)));
        }
        long first = all.stream().mapToLong(Entry::at).min().orElse(0);
        long end = all.stream().mapToLong(entry -> entry.at + entry.bytes).max().orElse(0);
        both.type.commit();
        int room = (int) Math.max(end, 0) + 8;
        ByteBuffer buffer = ByteBuffer.allocateDirect(room).order(ByteOrder.BIG_ENDIAN);
        boolean fits = all.isEmpty() || first >= 0;
        assertThat(Arguments.holds(buffer, items, both.type))
                .as("seed %s", seed)
                .isEqualTo(fits);
        if (!fits) {
            return;
        }
        assertThat(all.isEmpty() || !Arguments.holds(ByteBuffer.allocate((int) end - 1), items, both.type))
                .as("seed %s: one byte less", seed)
                .isTrue();
        byte[] memory = new byte[room];
        random.nextBytes(memory);
        boolean isOfTruthValues = both.type.base() == BaseType.BOOLEAN;
        for (int i = 0; isOfTruthValues && i < room; i++) {
            memory[i] &= 1; // an array of truth values has no others
        }
        buffer.put(0, memory);
        byte[] expected = packed(all, memory);
        int unit = both.type.elements().sizeBytes;
        for (Object holder : List.of(buffer, ByteBuffer.wrap(memory.clone()))) {
            assertThat(sent(holder, items, both.type, random))
                    .as("seed %s", seed)
                    .isEqualTo(expected);
        }
        boolean isAligned = all.isEmpty()
                || map.lower % unit == 0
                        && (items == 1 || map.extent() % unit == 0)
                        && all.stream().allMatch(entry -> entry.at % unit == 0 && entry.bytes % unit == 0);
        Object array = both.type.elements().newArray(room / unit + 1);
        if (Arguments.holds(array, items, both.type)) {
            assertThat(isAligned).as("seed %s: let through", seed).isTrue();
            both.type
                    .elements()
                    .readBytes(
                            array,
                            0,
                            ByteBuffer.wrap(memory, 0, room / unit * unit)
                                    .slice()
                                    .order(ByteOrder.nativeOrder()));
            assertThat(sent(array, items, both.type, random))
                    .as("seed %s", seed)
                    .isEqualTo(expected);
        }
        byte[] arrived = new byte[expected.length];
        random.nextBytes(arrived);
        received(buffer, items, both.type, arrived, random);
        int at = 0;
        for (Entry entry : all) {
            System.arraycopy(arrived, at, memory, (int) entry.at, entry.bytes);
            at += entry.bytes;
        }
        byte[] result = new byte[room];
        buffer.get(0, result);
        assertThat(result).as("seed %s: blocks and gaps", seed).isEqualTo(memory);
    }

    private static byte[] packed(List<Entry> entries, byte[] memory) {
        ByteBuffer packed =
                ByteBuffer.allocate(entries.stream().mapToInt(Entry::bytes).sum());
        entries.forEach(entry -> packed.put(memory, (int) entry.at, entry.bytes));
        return packed.array();
    }

    private static byte[] sent(Object holder, int items, Datatype type, Random random) {
        Strided message = Strided.items(holder, 0, items, type);
        byte[] all = new byte[(int) message.lengthBytes()];
        for (int at = 0; at < all.length; ) {
            int piece = Math.min(all.length - at, 1 + random.nextInt(60));
            ByteBuffer target = ByteBuffer.allocateDirect(piece + 3);
            target.order(random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
            ByteOrder order = target.order();
            target.position(2).limit(2 + piece);
            message.copyOut(at, target);
            assertThat(target.position()).isEqualTo(2 + piece);
            assertThat(target.limit()).isEqualTo(2 + piece);
            assertThat(target.order()).isEqualTo(order);
            target.get(2, all, at, piece);
            at += piece;
        }
        return all;
    }

    private static void received(Object holder, int items, Datatype type, byte[] all, Random random) {
        Strided message = Strided.items(holder, 0, items, type);
        assertThat(message.lengthBytes()).isEqualTo(all.length);
        for (int at = 0; at < all.length; ) {
            int piece = Math.min(all.length - at, 1 + random.nextInt(60));
            ByteBuffer source = ByteBuffer.wrap(all, at, piece).slice();
            source.order(random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
            message.copyIn(at, source);
            assertThat(source.hasRemaining()).isFalse();
            at += piece;
        }
    }

    /**
     * Compares the number of basic elements that a status gives for messages that end after each element of two items
     * and after the first element of a third one, and inside of elements.
     */
    private static void elements(long seed, Both both) {
        List<Entry> entries = both.reference.entries;
        long length = 0;
        long count = 0;
        assertThat(new Status(0, 0, 0, 0).getElements(both.type)).isZero();
        for (int i = 0; i < 2 * entries.size() + 1 && !entries.isEmpty(); i++) {
            Entry entry = entries.get(i % entries.size());
            if (entry.bytes > 1) {
                assertThat(new Status(0, 0, 0, length + 1).getElements(both.type))
                        .as("seed %s", seed)
                        .isEqualTo(MPI.UNDEFINED);
            }
            length += entry.bytes;
            count++;
            assertThat(new Status(0, 0, 0, length).getElementsX(both.type).getCount())
                    .as("seed %s, %s bytes", seed, length)
                    .isEqualTo(count);
        }
    }

    private Both derived(Random random, int depth) {
        if (depth == 0) {
            return switch (random.nextInt(9)) {
                case 0 -> new Both(MPI.BYTE, Reference.basic(1));
                case 1 -> new Both(MPI.CHAR, Reference.basic(2));
                case 2 -> new Both(MPI.SHORT, Reference.basic(2));
                case 3 -> new Both(MPI.BOOLEAN, Reference.basic(1));
                case 4 -> new Both(MPI.INT, Reference.basic(4));
                case 5 -> new Both(MPI.LONG, Reference.basic(8));
                case 6 -> new Both(MPI.FLOAT, Reference.basic(4));
                case 7 -> new Both(MPI.DOUBLE, Reference.basic(8));
                default ->
                    new Both(
                            MPI.DOUBLE_INT,
                            Reference.of(List.of(Reference.basic(8), Reference.basic(4)), List.of(0L, 8L)));
            };
        }
        Both old = derived(random, depth - 1);
        long extent = old.reference.extent();
        int count = random.nextInt(4);
        int length = random.nextInt(4);
        int stride = random.nextInt(7) - 1;
        switch (random.nextInt(7)) {
            case 0:
                return new Both(Datatype.createContiguous(count, old.type), blocks(old, 1, count, extent));
            case 1:
                return new Both(
                        Datatype.createVector(count, length, stride, old.type),
                        blocks(old, length, count, stride * extent));
            case 2:
                int bytes = random.nextInt(80) - 10;
                return new Both(
                        Datatype.createHVector(count, length, bytes, old.type), blocks(old, length, count, bytes));
            case 3:
            case 4:
                boolean inBytes = random.nextBoolean();
                int[] lengths = random.ints(count, 0, 4).toArray();
                int[] places = random.ints(count, -1, inBytes ? 100 : 6).toArray();
                return new Both(
                        inBytes
                                ? Datatype.createHIndexed(lengths, places, old.type)
                                : Datatype.createIndexed(lengths, places, old.type),
                        struct(lengths, places, inBytes ? 1 : extent, List.of(old, old, old, old)));
            case 5:
                List<Both> parts = new ArrayList<>();
                Datatype[] types = new Datatype[count];
                for (int i = 0; i < count; i++) {
                    parts.add(derived(random, random.nextInt(depth)));
                    types[i] = parts.get(i).type;
                }
                int[] each = random.ints(count, 0, 3).toArray();
                int[] at = random.ints(count, 0, 120).toArray();
                return new Both(Datatype.createStruct(each, at, types), struct(each, at, 1, parts));
            default:
                int lower = 4 * (random.nextInt(5) - 1);
                int newExtent = random.nextInt(60) - 5;
                Reference map = old.reference;
                return new Both(
                        Datatype.createResized(old.type, lower, newExtent),
                        new Reference(map.entries, lower, lower + newExtent, true, map.alignment));
        }
    }

    private static Reference blocks(Both old, int length, int count, long stride) {
        List<Reference> items = new ArrayList<>();
        List<Long> places = new ArrayList<>();
        for (int block = 0; block < count; block++) {
            for (int item = 0; item < length; item++) {
                items.add(old.reference);
                places.add(block * stride + item * old.reference.extent());
            }
        }
        return Reference.of(items, places);
    }

    private static Reference struct(int[] lengths, int[] displacements, long unit, List<Both> parts) {
        List<Reference> items = new ArrayList<>();
        List<Long> places = new ArrayList<>();
        for (int block = 0; block < lengths.length; block++) {
            Reference part = parts.get(block).reference;
            for (int item = 0; item < lengths[block]; item++) {
                items.add(part);
                places.add(displacements[block] * unit + item * part.extent());
            }
        }
        return Reference.of(items, places);
    }
}
