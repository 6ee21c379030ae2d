package org.ulfmj.runtime.collective;

import java.nio.ByteBuffer;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.ulfmj.runtime.reduction.Reduction;

/** Operators for tests. */
final class Reductions {
    private Reductions() {}

    static Reduction ofLongs(LongBinaryOperator operator) {
        return new ElementWise(8, true, false) {
            @Override
            void element(ByteBuffer in, ByteBuffer inout, int at) {
                inout.putLong(at, operator.applyAsLong(in.getLong(at), inout.getLong(at)));
            }
        };
    }

    static Reduction ofDoubles(DoubleBinaryOperator operator) {
        return new ElementWise(8, true, false) {
            @Override
            void element(ByteBuffer in, ByteBuffer inout, int at) {
                inout.putDouble(at, operator.applyAsDouble(in.getDouble(at), inout.getDouble(at)));
            }
        };
    }

    /**
     * Makes an operator that is declared commutative, as if of the program, though its result depends in its last bits
     * on the order of the operands. It throws when it is called while {@code locked[0]} says that the lock is held.
     */
    static Reduction sloppySum(boolean[] locked) {
        return new ElementWise(8, true, true) {
            @Override
            void element(ByteBuffer in, ByteBuffer inout, int at) {
                if (locked[0]) {
                    throw new IllegalStateException("a program's operator was called under the lock");
                }
                inout.putDouble(at, in.getDouble(at) * (1 + 1e-15) + inout.getDouble(at));
            }
        };
    }

    /**
     * Makes the operator that composes maps x → a·x + b modulo 2^32, given as pairs of ints (a, b): associative, not
     * commutative.
     */
    static Reduction affine() {
        return new ElementWise(8, false, false) {
            @Override
            void element(ByteBuffer in, ByteBuffer inout, int at) {
                int a = in.getInt(at);
                int b = in.getInt(at + 4);
                inout.putInt(at + 4, a * inout.getInt(at + 4) + b);
                inout.putInt(at, a * inout.getInt(at));
            }
        };
    }

    /** Makes the operator that keeps the element of the lower rank: associative, not commutative. */
    static Reduction left() {
        return new ElementWise(8, false, false) {
            @Override
            void element(ByteBuffer in, ByteBuffer inout, int at) {
                inout.putLong(at, in.getLong(at));
            }
        };
    }

    private abstract static class ElementWise implements Reduction {
        private final int elementBytes;
        private final boolean commutative;
        private final boolean userCode;

        ElementWise(int elementBytes, boolean commutative, boolean userCode) {
            this.elementBytes = elementBytes;
            this.commutative = commutative;
            this.userCode = userCode;
        }

        abstract void element(ByteBuffer in, ByteBuffer inout, int at);

        @Override
        public void apply(ByteBuffer in, ByteBuffer inout, int count) {
            for (int i = 0; i < count; i++) {
                element(in, inout, i * elementBytes);
            }
        }

        @Override
        public boolean isCommutative() {
            return commutative;
        }

        @Override
        public boolean isUserCode() {
            return userCode;
        }
    }
}
