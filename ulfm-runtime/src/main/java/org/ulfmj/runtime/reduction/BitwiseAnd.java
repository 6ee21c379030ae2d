package org.ulfmj.runtime.reduction;

import java.nio.ByteBuffer;

/** The operator of agree where nothing can fail: AND of ints. */
public final class BitwiseAnd implements Reduction {
    @Override
    public void apply(ByteBuffer in, ByteBuffer inout, int count) {
        for (int i = 0; i < count; i++) {
            int at = inout.position() + i * Integer.BYTES;
            inout.putInt(at, inout.getInt(at) & in.getInt(in.position() + i * Integer.BYTES));
        }
    }

    @Override
    public boolean isCommutative() {
        return true;
    }

    @Override
    public boolean isUserCode() {
        return false;
    }
}
