package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.runtime.reduction.Reduction;

/**
 * A program's operator over items of one type that lie packed in buffers.
 *
 * @param withArrays whether the function wants arrays; else buffers
 */
record UserReduction(UserFunction function, Datatype type, boolean commutes, boolean withArrays) implements Reduction {
    @Override
    public void apply(ByteBuffer in, ByteBuffer inout, int count) {
        ByteBuffer lower = nativeView(in);
        ByteBuffer higher = nativeView(inout);
        if (!withArrays) {
            function.call(lower, higher, count, type);
            return;
        }
        Elements elements = type.elements();
        Object lowerArray = elements.newArray(count);
        Object higherArray = elements.newArray(count);
        elements.read(lowerArray, 0, lower, count);
        elements.read(higherArray, 0, higher, count);
        function.call(lowerArray, higherArray, count, type);
        elements.write(higherArray, 0, higher.rewind(), count);
    }

    /** Returns a view in native order for the program, which may move the view's position and limit. */
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
