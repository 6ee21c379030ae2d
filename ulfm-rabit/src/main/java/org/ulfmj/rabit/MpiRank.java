package org.ulfmj.rabit;

import mpi.Datatype;
import mpi.Op;
import org.ulfmj.api.RankAccess;

/** Access to the calling thread's rank in package {@code mpi} ({@code RankAccess}), with that package's types. */
final class MpiRank {
    private static final RankAccess<Op, Datatype> ACCESS = RankAccess.get();

    private MpiRank() {}

    static RankAccess<Op, Datatype> get() {
        return ACCESS;
    }
}
