package org.ulfmj.rabit.engine;

import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * Which operation a rank makes. All ranks must make an operation of the same shape at the same place. A hash of the
 * shape travels in the operation's messages.
 *
 * @param type the type of the elements: {@code double}
 * @param elementBytes the length of one element
 * @param count the number of elements of the result
 * @param operator how a reduction combines; empty for other operations
 * @param root the root of a broadcast; −1 for other operations
 */
public record Shape(Kind kind, String type, int elementBytes, long count, String operator, int root) {
    /** The kinds of operations. */
    public enum Kind {
        ALLREDUCE("allreduce", true),
        ALLGATHER("allgather", true),
        BROADCAST("broadcast", false);

        private final String text;
        private final boolean needsAll;

        Kind(String text, boolean needsAll) {
            this.text = text;
            this.needsAll = needsAll;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private static final Kind[] KINDS = Kind.values();
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    public static Shape allReduce(String type, int elementBytes, long count, String operator) {
        return new Shape(Kind.ALLREDUCE, type, elementBytes, count, operator, -1);
    }

    public static Shape allGather(String type, int elementBytes, long count) {
        return new Shape(Kind.ALLGATHER, type, elementBytes, count, "", -1);
    }

    public static Shape broadcast(String type, int elementBytes, long count, int root) {
        return new Shape(Kind.BROADCAST, type, elementBytes, count, "", root);
    }

    public long lengthBytes() {
        return count * elementBytes;
    }

    /**
     * Whether no rank can have the whole result before every rank has begun the operation, because the result has or
     * combines the parts of all ranks. Without elements there is nothing to wait for.
     */
    public boolean waitsForAll() {
        return kind.needsAll && count > 0;
    }

    /** The number that names this operation at its place; never 0. {@code place} is 0 for an operation of a version. */
    public long description(int phase, int version, long sequence, long place) {
        long hash = mix(kind.ordinal() + ((long) root << 8), type.hashCode());
        hash = mix(mix(mix(hash, count), elementBytes), operator.hashCode());
        hash = mix(mix(hash, (long) version << 1 | phase), sequence);
        hash = mix(hash, place);
        return hash == 0 ? 1 : hash;
    }

    /** The hash of a text: the same at all ranks and in every run. */
    static long hash(String text) {
        long hash = text.length();
        for (int i = 0; i < text.length(); i++) {
            hash = hash * 31 + text.charAt(i);
        }
        return mix(hash, 0);
    }

    private static long mix(long hash, long value) {
        long mixed = (hash ^ value) * MULTIPLIER;
        return mixed ^ mixed >>> 29;
    }

    /**
     * This {@code equals} is written by hand, as is that of {@link Position}: the {@code equals} that the compiler
     * generates for a record is linked at its first call, which takes a newcomer time while all wait.
     */
    @Override
    public boolean equals(Object other) {
        return other == this
                || other instanceof Shape that
                        && kind == that.kind
                        && elementBytes == that.elementBytes
                        && count == that.count
                        && root == that.root
                        && type.equals(that.type)
                        && operator.equals(that.operator);
    }

    @Override
    public int hashCode() {
        return (int) description(0, 0, 0, 0);
    }

    void writeTo(WireWriter out) {
        out.putByte(kind.ordinal()).putText(type).putInt(elementBytes).putLong(count);
        out.putText(operator).putInt(root);
    }

    static Shape readFrom(WireReader in) {
        int kind = in.getByte();
        if (kind < 0 || kind >= KINDS.length) {
            throw new WireFormatException("no operation has number " + kind);
        }
        return new Shape(KINDS[kind], in.getText(), in.getInt(), in.getLong(), in.getText(), in.getInt());
    }

    /** {@code allreduce(double[1000], MPI.SUM)}, {@code broadcast(byte[8], root 3)}. */
    @Override
    public String toString() {
        String detail = kind == Kind.BROADCAST ? ", root " + root : operator.isEmpty() ? "" : ", " + operator;
        return kind + "(" + type + "[" + count + "]" + detail + ")";
    }
}
