package org.ulfmj.runtime.reduction;

import java.nio.ByteBuffer;

/** The bitwise AND of ints: the operator of the runtime's own votes, such as agree in a job without fault tolerance. */
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
