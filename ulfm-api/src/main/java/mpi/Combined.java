package mpi;

import java.util.Set;
import org.ulfmj.runtime.reduction.Reduction;

/** A predefined datatype whose items consist of several numbers (complex numbers and pairs), with its own operators. */
interface Combined {
    /** Returns the type that has the name of a constant of {@link MPI}. */
    static Combined named(String constant) {
        return constant.endsWith("_COMPLEX") ? ComplexType.valueOf(constant) : PairType.valueOf(constant);
    }

    TypeMap map();

    /**
     * Returns the reduction by which a predefined operator combines packed items of this type; null if the operator is
     * not allowed for it.
     */
    Reduction reduction(Operator operator);

    Set<Operator> operators();
}
