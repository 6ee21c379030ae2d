package org.ulfmj.rabit;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.runtime.reduction.Reduction;

/** A reduction by the program's reducer. */
record RabitUserReduction(Reducer reducer) implements Reduction {
    @Override
    public void apply(ByteBuffer in, ByteBuffer inout, int count) {
        reducer.reduce(nativeView(in), nativeView(inout), count);
    }

    /** A view in native order for the program, which may move the view's position and limit. */
    private static ByteBuffer nativeView(ByteBuffer buffer) {
        return buffer.slice().order(ByteOrder.nativeOrder());
    }

    @Override
    public boolean isCommutative() {
        return false;
    }

    @Override
    public boolean isUserCode() {
        return true;
    }
}
