package org.ulfmj.runtime;

import java.nio.ByteBuffer;

/** An operator over packed elements in native byte order. */
public interface Reduction {
    /** For the first {@code count} elements: {@code inout[i] = in[i] op inout[i]}; {@code in} is the lower rank's. */
    void apply(ByteBuffer in, ByteBuffer inout, int count);

    boolean isCommutative();

    /** Whether it runs the program's code, which must not happen under the engine lock. */
    boolean isUserCode();
}
