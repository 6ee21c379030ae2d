package mpi;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** The predefined operators, by MPI's names, and which of them a kind of element allows. */
enum Operator {
    MAX,
    MIN,
    SUM,
    PROD,
    LAND,
    BAND,
    LOR,
    BOR,
    LXOR,
    BXOR,
    MINLOC,
    MAXLOC,
    REPLACE,
    NO_OP;

    /** The operators that whole numbers allow. */
    static final Set<Operator> ALL = Collections.unmodifiableSet(EnumSet.range(MAX, BXOR));

    /** The operators that floating-point numbers allow. */
    static final Set<Operator> ARITHMETIC = Collections.unmodifiableSet(EnumSet.of(MAX, MIN, SUM, PROD));

    /** The operators that truth values allow: all but sum and product, whose results are no truth values. */
    static final Set<Operator> TRUTH =
            Collections.unmodifiableSet(EnumSet.of(MAX, MIN, LAND, BAND, LOR, BOR, LXOR, BXOR));
}
