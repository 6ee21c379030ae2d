package mpi;

import java.util.List;

/**
 * The basic elements of a datatype, in the order in which a message has them: what {@link Status#getElements} counts.
 * Takes little space for a regular type, however many elements it has. Immutable.
 */
abstract class Signature {
    /** What {@link #elementsIn} gives if the bytes end inside an element. */
    static final long PARTIAL = -1;

    /** Basic elements. */
    final long elements;
    /** Bytes of all elements. */
    final long bytes;

    private Signature(long elements, long bytes) {
        this.elements = elements;
        this.bytes = bytes;
    }

    /** Returns the number of elements in the first {@code length} bytes, or {@link #PARTIAL}. */
    abstract long elementsIn(long length);

    /** Returns the bytes of the first {@code count} elements, of which there are at most {@link #elements}. */
    abstract long bytesOf(long count);

    static Signature basic(int bytes) {
        return new Basic(bytes);
    }

    final Signature times(long count) {
        return count == 1 ? this : new Times(this, count);
    }

    static Signature chain(List<Signature> parts) {
        return parts.size() == 1 ? parts.get(0) : new Chain(parts);
    }

    private static final class Basic extends Signature {
        Basic(int bytes) {
            super(1, bytes);
        }

        @Override
        long elementsIn(long length) {
            return length == 0 ? 0 : length == bytes ? 1 : PARTIAL;
        }

        @Override
        long bytesOf(long count) {
            return count * bytes;
        }
    }

    private static final class Times extends Signature {
        private final Signature each;

        Times(Signature each, long count) {
            super(each.elements * count, each.bytes * count);
            this.each = each;
        }

        @Override
        long elementsIn(long length) {
            if (each.bytes == 0) {
                return 0;
            }
            long rest = each.elementsIn(length % each.bytes);
            return rest == PARTIAL ? PARTIAL : length / each.bytes * each.elements + rest;
        }

        @Override
        long bytesOf(long count) {
            return each.elements == 0 ? 0 : count / each.elements * each.bytes + each.bytesOf(count % each.elements);
        }
    }

    private static final class Chain extends Signature {
        private final List<Signature> parts;

        Chain(List<Signature> parts) {
            super(
                    parts.stream().mapToLong(part -> part.elements).sum(),
                    parts.stream().mapToLong(part -> part.bytes).sum());
            this.parts = List.copyOf(parts);
        }

        @Override
        long elementsIn(long length) {
            long found = 0;
            long left = length;
            for (Signature part : parts) {
                if (left < part.bytes) {
                    long rest = part.elementsIn(left);
                    return rest == PARTIAL ? PARTIAL : found + rest;
                }
                found += part.elements;
                left -= part.bytes;
            }
            return found;
        }

        @Override
        long bytesOf(long count) {
            long found = 0;
            long left = count;
            for (Signature part : parts) {
                if (left < part.elements) {
                    return found + part.bytesOf(left);
                }
                found += part.bytes;
                left -= part.elements;
            }
            return found;
        }
    }
}
