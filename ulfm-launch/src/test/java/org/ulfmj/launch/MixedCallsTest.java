package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import mpi.MPI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.testkit.Faults;
import org.ulfmj.testkit.LocalResult;
import org.ulfmj.testkit.LocalWorld;
import org.ulfmj.testkit.RankEnd;

/**
 * Checks mixed recovery calls with ranks as threads: every pair of agree, agreeFailed, shrink and Finalize in both
 * orders, some larger groups, also with deaths, and some groups with iAgree and iShrink.
 */
class MixedCallsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "as",
                "sa",
                "af",
                "fa",
                "aF",
                "Fa",
                "sf",
                "fs",
                "sF",
                "Fs",
                "fF",
                "Ff",
                "afsF",
                "Fsfa",
                "sssF",
                "Fsss",
                "aaFFss",
                "FFFFFFFs",
                "sFFFFFFF",
                "xsF",
                "sxF",
                "sFx",
                "xaxFs",
                "asxxF",
                "xxas",
                "xFsaxsF",
                "ia",
                "Si",
                "sS",
                "SFi",
                "xiFa",
                "iiixS",
                "afsFiS"
            })
    void shouldTellEverybodyWhatWasCalledWhere(String calls) {
        LocalResult result = LocalWorld.run(calls.length(), () -> {
            MPI.Init(new String[0]);
            MixedCalls.play(calls, MPI.COMM_WORLD.getRank(), Faults::die);
            MPI.Finalize();
        });
        int dead = calls.length() - calls.replace("x", "").length();
        assertThat(result.requireSurvivorsSucceeded().ranks(RankEnd.FINALIZED)).hasSize(calls.length() - dead);
    }
}
