package org.ulfmj.runtime;

import org.ulfmj.runtime.reduction.Reduction;

/** A reduction like those of the library: it is commutative, and runs no code of the program. */
@FunctionalInterface
interface PlainReduction extends Reduction {
    @Override
    default boolean isCommutative() {
        return true;
    }

    @Override
    default boolean isUserCode() {
        return false;
    }
}
