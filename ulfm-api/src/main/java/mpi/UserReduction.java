package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.runtime.reduction.Reduction;

/**
 * A program's operator for vectors of items of one type that lie packed in buffers. For a type with gaps the items are
 * spread out for the function, as far apart as their extent says, as in the program's own memory; the vector then
 * begins with the first byte that the first item has. Used by one operation at a time.
 */
final class UserReduction implements Reduction {
    /**
     * The most bytes to which one operand's items with gaps are spread out for one call of the function; a single item
     * may take more.
     */
    private static final int SPREAD_BYTES = 256 * 1024;

    private final UserFunction function;
    private final Datatype type;
    private final boolean commutes;
    private final boolean withArrays;

    /** Memory for the two operands' items with gaps; made when it is first needed. */
    private Object spreadLower;

    private Object spreadHigher;

    /** @param withArrays whether the function takes arrays; if false it takes buffers */
    UserReduction(UserFunction function, Datatype type, boolean commutes, boolean withArrays) {
        this.function = function;
        this.type = type;
        this.commutes = commutes;
        this.withArrays = withArrays;
    }

    @Override
    public void apply(ByteBuffer in, ByteBuffer inout, int count) {
        ByteBuffer lower = nativeView(in);
        ByteBuffer higher = nativeView(inout);
        if (!type.isPlain()) {
            applySpread(lower, higher, count);
            return;
        }
        if (!withArrays) {
            function.call(lower, higher, count, type);
            return;
        }
        Elements elements = type.elements();
        int length = count * type.elementsEach();
        Object lowerArray = elements.newArray(length);
        Object higherArray = elements.newArray(length);
        elements.read(lowerArray, 0, lower, length);
        elements.read(higherArray, 0, higher, length);
        function.call(lowerArray, higherArray, count, type);
        elements.write(higherArray, 0, higher.rewind(), length);
    }

    /**
     * Applies the function to items with gaps: in pieces of whole items, each spread out in memory first and packed
     * again afterwards.
     */
    private void applySpread(ByteBuffer lower, ByteBuffer higher, int count) {
        TypeMap map = type.map();
        int most = (int) Math.max(1, Math.min(count, map.capacityFromTrueLower(SPREAD_BYTES)));
        for (int done = 0; done < count; done += most) {
            int items = Math.min(most, count - done);
            int bytes = items * type.sizeBytes();
            Shape shape = map.items(0, items).movedBy(-map.trueLower);
            long length = map.end(0, items) - map.trueLower;
            spreadLower = spread(spreadLower, length);
            spreadHigher = spread(spreadHigher, length);
            int at = done * type.sizeBytes();
            Strided first = new Strided(spreadLower, type.elements(), shape);
            Strided second = new Strided(spreadHigher, type.elements(), shape);
            first.copyIn(0, lower.limit(at + bytes).position(at));
            second.copyIn(0, higher.limit(at + bytes).position(at));
            if (withArrays) {
                function.call(spreadLower, spreadHigher, items, type);
            } else {
                function.call(nativeView((ByteBuffer) spreadLower), nativeView((ByteBuffer) spreadHigher), items, type);
            }
            second.copyOut(0, higher.position(at));
        }
    }

    /**
     * Returns memory for {@code length} bytes: that of the piece before if it has exactly this size, else new memory.
     */
    private Object spread(Object before, long length) {
        int elementBytes = type.elements().sizeBytes;
        if (withArrays) {
            int elements = (int) ((length + elementBytes - 1) / elementBytes);
            boolean fits = before != null && type.elements().capacity(before) == elements;
            return fits ? before : type.elements().newArray(elements);
        }
        if (length > Integer.MAX_VALUE) {
            throw Exceptions.withoutCommunicator(
                    "Op",
                    MPI.ERR_COUNT,
                    "an item of " + type + " takes " + length + " bytes of memory; allowed with a function of the"
                            + " program: up to " + Integer.MAX_VALUE);
        }
        boolean fits = before != null && ((ByteBuffer) before).capacity() == length;
        return fits ? before : ByteBuffer.allocateDirect((int) length).order(ByteOrder.nativeOrder());
    }

    /** Returns a new view in native order for the program's function, which may move the view's position and limit. */
    private static ByteBuffer nativeView(ByteBuffer buffer) {
        return buffer.slice().order(ByteOrder.nativeOrder());
    }

    @Override
    public boolean isCommutative() {
        return commutes;
    }

    @Override
    public boolean isUserCode() {
        return true;
    }
}
