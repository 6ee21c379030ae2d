package mpi;

import org.ulfmj.runtime.Reduction;

/**
 * How a reduction combines two elements: the constants {@link MPI#MAX}, {@link MPI#MIN}, {@link MPI#SUM},
 * {@link MPI#PROD} and the logical ({@link MPI#LAND}, {@link MPI#LOR}, {@link MPI#LXOR}) and bitwise ({@link MPI#BAND},
 * {@link MPI#BOR}, {@link MPI#BXOR}) operators.
 *
 * <p>Whole numbers allow all of them (logical ones give 1 or 0, and {@link MPI#BYTE} and {@link MPI#CHAR} are unsigned),
 * {@link MPI#FLOAT} and {@link MPI#DOUBLE} the first four, {@link MPI#BOOLEAN} all but sum and product. Another pair
 * raises {@link MPI#ERR_OP}. Operators are immutable and may be used by all threads.
 */
public final class Op {
    private final Operator operator;
    /** By {@link BaseType}; null where the pair is not allowed. */
    private final Reduction[] reductions;

    Op(Operator operator) {
        this.operator = operator;
        BaseType[] types = BaseType.values();
        this.reductions = new Reduction[types.length];
        for (BaseType type : types) {
            if (type.elements.allows(operator)) {
                reductions[type.ordinal()] = new Kernels(operator, type);
            }
        }
    }

    Operator operator() {
        return operator;
    }

    /** The operator for elements of a type, or null if the pair is not allowed. */
    Reduction reduction(Datatype type) {
        return reductions[type.base().ordinal()];
    }

    /** {@code MPI.SUM}. */
    @Override
    public String toString() {
        return "MPI." + operator;
    }
}
