package mpi;

import java.util.ArrayList;
import java.util.List;

/**
 * What a datatype means in bytes: the shape of an item, its basic elements, and its bounds (MPI 3.1 section 4.1.6).
 * Methods that make a larger map throw {@link ArithmeticException} if a number is beyond 64 bits. Immutable.
 */
final class TypeMap {
    private static final TypeMap EMPTY =
            new TypeMap(Shape.EMPTY, Signature.chain(List.of()), new Bounds(0, 0, false), 0, 0, 1, 1);

    /**
     * The lower and the upper bound of an item, by which items follow each other. In a type made of others, bounds that
     * the program set override those of parts whose bounds it did not set.
     */
    record Bounds(long lower, long upper, boolean areSet) {}

    final Shape shape;
    final Signature signature;
    private final Bounds bounds;
    final long trueLower;
    final long trueUpper;
    /**
     * The alignment in bytes: the extent of a derived type whose bounds the program did not set is rounded up to a
     * multiple of it.
     */
    private final int alignment;

    /** A number of bytes that divides the offset and the length of every block of an item. */
    private final long unit;

    private TypeMap(
            Shape shape, Signature signature, Bounds bounds, long trueLower, long trueUpper, int alignment, long unit) {
        this.shape = shape;
        this.signature = signature;
        this.bounds = bounds;
        boolean isEmpty = shape.sizeBytes == 0;
        this.trueLower = isEmpty ? 0 : trueLower;
        this.trueUpper = isEmpty ? 0 : trueUpper;
        this.alignment = alignment;
        this.unit = unit;
    }

    /** One basic element. */
    static TypeMap basic(int bytes) {
        return new TypeMap(
                new Run(0, bytes), Signature.basic(bytes), new Bounds(0, bytes, false), 0, bytes, bytes, bytes);
    }

    /** The map of a complex number: one basic element, whose two parts have {@code bytes} bytes each. */
    static TypeMap complex(int bytes) {
        return new TypeMap(
                new Run(0, 2 * bytes),
                Signature.basic(2 * bytes),
                new Bounds(0, 2 * bytes, false),
                0,
                2 * bytes,
                bytes,
                bytes);
    }

    long lower() {
        return bounds.lower;
    }

    long extent() {
        return Math.subtractExact(bounds.upper, bounds.lower);
    }

    long sizeBytes() {
        return shape.sizeBytes;
    }

    /** Whether each item is one run of bytes from its origin on, and items follow each other without a gap. */
    boolean isContiguous() {
        return shape instanceof Run run && run.offset == 0 && run.sizeBytes > 0 && run.sizeBytes == extent();
    }

    /** Whether in a row of items each item and each block begins at a multiple of {@code elementBytes}. */
    boolean isAligned(int elementBytes) {
        return unit % elementBytes == 0 && extent() % elementBytes == 0 && bounds.lower % elementBytes == 0;
    }

    /** The shape of {@code count} items from item number {@code at} on. */
    Shape items(long at, long count) {
        return shape.repeated(count, extent()).movedBy(at * extent());
    }

    /** The offset of the first byte that {@code count} items from item number {@code at} on have. */
    private long begin(long at, long count) {
        return trueLower + Math.multiplyExact(at, extent()) + Math.min(0, Math.multiplyExact(count - 1, extent()));
    }

    /** The end of {@code count} items from item number {@code at} on, as the offset of the byte behind them. */
    long end(long at, long count) {
        return trueUpper + Math.multiplyExact(at, extent()) + Math.max(0, Math.multiplyExact(count - 1, extent()));
    }

    /** Whether {@code count} items from item number {@code at} on lie within memory of {@code bytes} bytes. */
    boolean fits(long at, long count, long bytes) {
        try {
            return count == 0 || sizeBytes() == 0 || begin(at, count) >= 0 && end(at, count) <= bytes;
        } catch (ArithmeticException far) {
            return false;
        }
    }

    /**
     * Whether {@code count} items whose first one has its origin at byte {@code at} lie within memory of {@code bytes}
     * bytes.
     */
    boolean fitsAt(long at, long count, long bytes) {
        try {
            return begin(0, count) + at >= 0 && end(0, count) + at <= bytes;
        } catch (ArithmeticException far) {
            return false;
        }
    }

    /**
     * The most items that memory of {@code bytes} bytes holds; {@link Long#MAX_VALUE} if items have no bytes, or all
     * lie at the same place and one fits.
     */
    long capacity(long bytes) {
        if (sizeBytes() == 0) {
            return Long.MAX_VALUE;
        }
        if (trueLower < 0 || trueUpper > bytes) {
            return 0;
        }
        long extent = extent();
        if (extent == 0) {
            return Long.MAX_VALUE;
        }
        return 1 + (extent > 0 ? (bytes - trueUpper) / extent : trueLower / -extent);
    }

    /**
     * The most items that memory of {@code bytes} bytes holds if its first byte is the first byte that the first item
     * has; {@link Long#MAX_VALUE} if one fits and the extent is 0. If the extent is negative, a second item would lie
     * before the memory.
     */
    long capacityFromTrueLower(long bytes) {
        long first = trueUpper - trueLower;
        long extent = extent();
        if (first > bytes) {
            return 0;
        }
        if (extent == 0) {
            return Long.MAX_VALUE;
        }
        return extent < 0 ? 1 : 1 + (bytes - first) / extent;
    }

    /** Items one after the other. */
    TypeMap repeated(long count) {
        return repeated(count, extent());
    }

    /** Items at equal distances. */
    TypeMap repeated(long count, long stride) {
        if (count == 0 || isNothing()) {
            return EMPTY;
        }
        long span = Math.multiplyExact(count - 1, stride);
        Math.multiplyExact(sizeBytes(), count);
        Math.multiplyExact(signature.elements, count);
        long low = Math.min(0, span);
        long high = Math.max(0, span);
        Bounds larger = new Bounds(Math.addExact(bounds.lower, low), Math.addExact(bounds.upper, high), bounds.areSet);
        return new TypeMap(
                shape.repeated(count, stride),
                signature.times(count),
                larger,
                Math.addExact(trueLower, low),
                Math.addExact(trueUpper, high),
                alignment,
                count == 1 ? unit : divisor(unit, stride));
    }

    /**
     * Whether items of this type have no effect on a type made of them: they have no bytes, and no bounds that the
     * program set.
     */
    private boolean isNothing() {
        return sizeBytes() == 0 && !bounds.areSet;
    }

    private TypeMap movedBy(long bytes) {
        Bounds moved =
                new Bounds(Math.addExact(bounds.lower, bytes), Math.addExact(bounds.upper, bytes), bounds.areSet);
        return new TypeMap(
                shape.movedBy(bytes),
                signature,
                moved,
                Math.addExact(trueLower, bytes),
                Math.addExact(trueUpper, bytes),
                alignment,
                divisor(unit, bytes));
    }

    /** Returns this map with bounds that the program sets; they also hold in types that are made of this one. */
    TypeMap resized(long lower, long extent) {
        Bounds set = new Bounds(lower, Math.addExact(lower, extent), true);
        return new TypeMap(shape, signature, set, trueLower, trueUpper, alignment, unit);
    }

    /**
     * The map of several blocks of items at any displacements in bytes, in the order of a message. Blocks without
     * items, or of items without effect, are left out.
     */
    static TypeMap blocks(int[] lengths, long[] displacements, TypeMap[] maps) {
        List<Shape> shapes = new ArrayList<>();
        List<Signature> signatures = new ArrayList<>();
        TypeMap all = null;
        Signature each = null;
        long count = 0;
        long sizeBytes = 0;
        for (int i = 0; i < lengths.length; i++) {
            if (lengths[i] > 0 && !maps[i].isNothing()) {
                TypeMap block = maps[i].repeated(lengths[i]).movedBy(displacements[i]);
                sizeBytes = Math.addExact(sizeBytes, block.sizeBytes());
                shapes.add(block.shape);
                if (each != null && each != maps[i].signature) {
                    signatures.add(each.times(count));
                    count = 0;
                }
                each = maps[i].signature;
                count += lengths[i];
                all = all == null ? block : all.around(block);
            }
        }
        if (all == null) {
            return EMPTY;
        }
        signatures.add(each.times(count));
        return new TypeMap(
                Sequence.of(shapes),
                Signature.chain(signatures),
                all.bounds,
                all.trueLower,
                all.trueUpper,
                all.alignment,
                all.unit);
    }

    /**
     * Returns a map with the bounds of both maps together. Its shape only shows whether there are any bytes, and its
     * signature means nothing.
     */
    private TypeMap around(TypeMap other) {
        boolean isEmpty = sizeBytes() == 0;
        boolean isOtherEmpty = other.sizeBytes() == 0;
        return new TypeMap(
                isEmpty ? other.shape : shape,
                signature,
                around(bounds, other.bounds),
                isEmpty ? other.trueLower : isOtherEmpty ? trueLower : Math.min(trueLower, other.trueLower),
                isEmpty ? other.trueUpper : isOtherEmpty ? trueUpper : Math.max(trueUpper, other.trueUpper),
                Math.max(alignment, other.alignment),
                divisor(unit, other.unit));
    }

    private static Bounds around(Bounds one, Bounds other) {
        if (one.areSet != other.areSet) {
            return one.areSet ? one : other;
        }
        return new Bounds(Math.min(one.lower, other.lower), Math.max(one.upper, other.upper), one.areSet);
    }

    /** Rounds the extent up to the alignment, unless the program set the bounds. */
    TypeMap padded() {
        long beyond = Math.floorMod(extent(), (long) alignment);
        if (bounds.areSet || beyond == 0) {
            return this;
        }
        Bounds wider = new Bounds(bounds.lower, Math.addExact(bounds.upper, alignment - beyond), false);
        return new TypeMap(shape, signature, wider, trueLower, trueUpper, alignment, unit);
    }

    /** The largest number that divides both. */
    private static long divisor(long a, long b) {
        long x = Math.abs(a);
        long y = Math.abs(b);
        while (y != 0) {
            long rest = x % y;
            x = y;
            y = rest;
        }
        return x;
    }
}
