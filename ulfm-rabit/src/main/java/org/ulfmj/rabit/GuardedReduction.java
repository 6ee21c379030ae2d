package org.ulfmj.rabit;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.reduction.Reduction;

/** The program's operator or reducer. A RuntimeException of its code can be told from a failure of the operation. */
record GuardedReduction(Reduction program) implements Reduction {
    @Override
    public void apply(ByteBuffer in, ByteBuffer inout, int count) {
        try {
            program.apply(in, inout, count);
        } catch (RuntimeException thrown) {
            throw new ReducerFailure(thrown);
        }
    }

    @Override
    public boolean isCommutative() {
        return program.isCommutative();
    }

    @Override
    public int code() {
        return program.code();
    }

    @Override
    public boolean isUserCode() {
        return program.isUserCode();
    }
}
