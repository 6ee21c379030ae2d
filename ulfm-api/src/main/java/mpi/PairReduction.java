package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.runtime.reduction.Reduction;

/**
 * {@link MPI#MINLOC} or {@link MPI#MAXLOC} on packed pairs. A NaN wins against a number, as it does in {@link MPI#MIN}.
 * Of two equal values, and of two NaNs, the pair with the smaller index wins. If the indices are equal too, zeros of
 * both signs and NaNs may still differ: then the lower bits win. So pairs have a total order, and the result does not
 * depend on which operand comes first, nor on how operands are grouped.
 */
record PairReduction(PairType type, Operator operator) implements Reduction {
    /** The codes of {@link Kernels} are smaller, those of {@link ComplexReduction} are larger. */
    private static final int FIRST_CODE = 1000;

    @Override
    public void apply(ByteBuffer in, ByteBuffer inout, int count) {
        ByteOrder inOrder = in.order();
        ByteOrder inoutOrder = inout.order();
        in.order(ByteOrder.nativeOrder());
        inout.order(ByteOrder.nativeOrder());
        int wanted = operator == Operator.MINLOC ? -1 : 1;
        for (int i = 0; i < count; i++) {
            int from = in.position() + i * type.sizeBytes();
            int to = inout.position() + i * type.sizeBytes();
            int order = type.compare(in, from, inout, to);
            if (order == wanted || order != -wanted && winsTie(order, in, from, inout, to)) {
                inout.put(to, in, from, type.sizeBytes());
            }
        }
        in.order(inOrder);
        inout.order(inoutOrder);
    }

    /** Whether the first of two pairs wins, when their values are equal or at least one is a NaN. */
    private boolean winsTie(int order, ByteBuffer in, int from, ByteBuffer inout, int to) {
        if (order == PairType.NAN && type.isNan(in, from) != type.isNan(inout, to)) {
            return type.isNan(in, from);
        }
        int byIndex = Integer.compare(in.getInt(from + type.valueBytes), inout.getInt(to + type.valueBytes));
        return byIndex != 0 ? byIndex < 0 : type.compareBits(in, from, inout, to) < 0;
    }

    @Override
    public boolean isCommutative() {
        return true;
    }

    @Override
    public int code() {
        return FIRST_CODE + 2 * type.ordinal() + (operator == Operator.MINLOC ? 0 : 1);
    }

    @Override
    public boolean isUserCode() {
        return false;
    }
}
