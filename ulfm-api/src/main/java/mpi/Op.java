package mpi;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.reduction.Reduction;

/**
 * How a reduction combines two elements (MPI 3.1 section 5.9): a constant of {@link MPI}, or a function of the
 * program's own.
 *
 * <p><b>Constants</b> are {@link MPI#MAX}, {@link MPI#MIN}, {@link MPI#SUM}, {@link MPI#PROD} and the logical
 * ({@link MPI#LAND}, {@link MPI#LOR}, {@link MPI#LXOR}) and bitwise ({@link MPI#BAND}, {@link MPI#BOR},
 * {@link MPI#BXOR}) operators. Whole numbers allow all of them (logical ones give 1 or 0, and {@link MPI#BYTE} and
 * {@link MPI#CHAR} are unsigned), {@link MPI#FLOAT} and {@link MPI#DOUBLE} the first four, {@link MPI#BOOLEAN} all but
 * sum and product. Complex numbers ({@link MPI#FLOAT_COMPLEX}, {@link MPI#DOUBLE_COMPLEX}) allow sum and product, and
 * pairs ({@link MPI#DOUBLE_INT} and the like) {@link MPI#MINLOC} and {@link MPI#MAXLOC}. {@link MPI#REPLACE} and
 * {@link MPI#NO_OP} are for windows and combine nothing here. Another operator or type, also a derived type, raises
 * {@link MPI#ERR_OP}.
 *
 * <p><b>Functions</b> ({@link UserFunction}) go with every datatype. They are always applied in rank order, also if
 * they are declared to commute.
 *
 * <p>Operators are immutable but for {@link #free} and may be used by all threads.
 */
public final class Op implements Freeable {
    /** The predefined operator; null for a function of the program. */
    private final Operator operator;
    /**
     * The predefined operator's reductions, one for each {@link BaseType}; an element is null where the operator is not
     * allowed for that type. The array is null for a function of the program.
     */
    private final Reduction[] reductions;
    /** The program's function; null for a predefined operator. */
    private final UserFunction function;

    private final boolean commutes;
    private final boolean takesArrays;
    private final boolean takesBuffers;
    private volatile boolean freed;

    Op(Operator operator) {
        this.operator = operator;
        this.function = null;
        this.commutes = true;
        this.takesArrays = false;
        this.takesBuffers = false;
        BaseType[] types = BaseType.values();
        this.reductions = new Reduction[types.length];
        for (BaseType type : types) {
            if (type.elements.allows(operator)) {
                reductions[type.ordinal()] = new Kernels(operator, type);
            }
        }
    }

    /**
     * Makes an operator of a function of the program. Local.
     *
     * <p>{@code MPI_Op_create}, MPI 3.1 section 5.9.5.
     *
     * @param function the function, which must be associative
     * @param commute whether it may also be applied in another order than that of the ranks; a promise that this
     *     implementation makes no use of
     * @throws MPIException of class {@link MPI#ERR_OP} if the function is null or overrides neither form of
     *     {@code call}
     */
    public Op(UserFunction function, boolean commute) {
        if (function == null) {
            throw Exceptions.withoutCommunicator("Op", MPI.ERR_OP, "function is null; allowed: a UserFunction");
        }
        this.operator = null;
        this.reductions = null;
        this.function = function;
        this.commutes = commute;
        this.takesArrays = function.overrides(Object.class);
        this.takesBuffers = function.overrides(ByteBuffer.class);
        if (!takesArrays && !takesBuffers) {
            throw Exceptions.withoutCommunicator(
                    "Op",
                    MPI.ERR_OP,
                    "function is a " + function.getClass().getName()
                            + ", which overrides no form of call; allowed: one or both");
        }
    }

    /** Returns the predefined operator; null for a function of the program. */
    Operator operator() {
        return operator;
    }

    /** Returns the reduction for items of a type, or null if the operator is not allowed for it. */
    Reduction reduction(Datatype type) {
        if (function == null) {
            return type.isBasic()
                    ? reductions[type.base().ordinal()]
                    : type.combined() == null ? null : type.combined().reduction(operator);
        }
        boolean withArrays = !takesBuffers || (takesArrays && type.base() == BaseType.BOOLEAN);
        return new UserReduction(function, type, commutes, withArrays);
    }

    /**
     * Whether the operator was declared to commute; true for the constants. Local.
     *
     * <p>{@code MPI_Op_commutative}, MPI 3.1 section 5.9.7.
     *
     * @throws MPIException {@code ERR_OP} if the operator was freed
     */
    public boolean isCommutative() {
        if (freed) {
            throw Exceptions.withoutCommunicator("Op.isCommutative", MPI.ERR_OP, "the operator was freed");
        }
        return commutes;
    }

    /**
     * Gives the operator back; it is null afterwards. Reductions under way keep it until they are done. The constants
     * cannot be freed ({@code ERR_OP}).
     *
     * <p>{@code MPI_Op_free}, MPI 3.1 section 5.9.5.
     */
    @Override
    public void free() {
        if (function == null || freed) {
            throw Exceptions.withoutCommunicator(
                    "Op.free", MPI.ERR_OP, function == null ? this + " is a constant" : "the operator was freed");
        }
        freed = true;
    }

    /** Whether the operator was freed. */
    public boolean isNull() {
        return freed;
    }

    /** For example {@code MPI.SUM}; for an operator of the program the class of its function. */
    @Override
    public String toString() {
        return function == null
                ? "MPI." + operator
                : "of " + function.getClass().getName();
    }
}
