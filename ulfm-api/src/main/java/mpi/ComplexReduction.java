package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.runtime.reduction.Reduction;

/** The sum or the product of packed complex numbers. In a sum, real parts and imaginary parts are added separately. */
record ComplexReduction(ComplexType type, Operator operator) implements Reduction {
    /** The codes of {@link Kernels} and of {@link PairReduction} are smaller. */
    private static final int FIRST_CODE = 2000;

    @Override
    public void apply(ByteBuffer in, ByteBuffer inout, int count) {
        if (operator == Operator.SUM) {
            new Kernels(Operator.SUM, type.part).apply(in, inout, 2 * count);
            return;
        }
        ByteOrder inOrder = in.order();
        ByteOrder inoutOrder = inout.order();
        in.order(ByteOrder.nativeOrder());
        inout.order(ByteOrder.nativeOrder());
        int each = 2 * type.part.elements.sizeBytes;
        for (int i = 0; i < count; i++) {
            type.multiply(in, in.position() + i * each, inout, inout.position() + i * each);
        }
        in.order(inOrder);
        inout.order(inoutOrder);
    }

    @Override
    public boolean isCommutative() {
        return true;
    }

    @Override
    public int code() {
        return FIRST_CODE + 2 * type.ordinal() + (operator == Operator.SUM ? 0 : 1);
    }

    @Override
    public boolean isUserCode() {
        return false;
    }
}
