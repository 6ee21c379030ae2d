package org.ulfmj.testkit.sim;

import java.util.function.IntFunction;
import org.ulfmj.testkit.Program;
import org.ulfmj.testkit.RankMain;

/**
 * The programs of the ranks of one run.
 *
 * @param ofRank gives each rank its main
 * @param areLoadedAnew whether each rank loads its classes for itself; a thread that is used again after the run could
 *     keep those classes
 */
record Mains(IntFunction<RankMain> ofRank, boolean areLoadedAnew) {
    static Mains shared(RankMain main) {
        return new Mains(rank -> main, false);
    }

    static Mains loaded(Program program) {
        return new Mains(rank -> program.load(), true);
    }

    RankMain of(int rank) {
        return ofRank.apply(rank);
    }
}
