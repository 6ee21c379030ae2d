package mpi;

import java.util.Set;
import org.ulfmj.runtime.reduction.Reduction;

/** A predefined datatype of several numbers, with separate operators. */
interface Combined {
    /** Returns the one with the name of a constant of {@link MPI}. */
    static Combined named(String constant) {
        return constant.endsWith("_COMPLEX") ? ComplexType.valueOf(constant) : PairType.valueOf(constant);
    }

    TypeMap map();

    /** Returns how a predefined operator combines items that lie packed; null if it does not. */
    Reduction reduction(Operator operator);

    Set<Operator> operators();
}
