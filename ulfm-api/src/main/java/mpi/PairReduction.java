package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.runtime.reduction.Reduction;

/**
 * {@link MPI#MINLOC} or {@link MPI#MAXLOC} on packed pairs. Of two equal values the smaller index wins. A NaN neither
 * wins nor loses: the pair of the higher rank stays, as in Open MPI.
 */
record PairReduction(PairType type, Operator operator) implements Reduction {
    /** Codes of other operators are smaller. */
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
            int index = in.getInt(from + type.valueBytes);
            if (order == wanted) {
                inout.put(to, in, from, type.valueBytes);
                inout.putInt(to + type.valueBytes, index);
            } else if (order == 0 && index < inout.getInt(to + type.valueBytes)) {
                inout.putInt(to + type.valueBytes, index);
            }
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
        return FIRST_CODE + 2 * type.ordinal() + (operator == Operator.MINLOC ? 0 : 1);
    }

    @Override
    public boolean isUserCode() {
        return false;
    }
}
