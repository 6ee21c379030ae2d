package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import mpi.Intercomm;
import mpi.MPI;
import mpi.ProcFailedException;
import mpi.Request;
import mpi.RevokedException;
import org.ulfmj.testkit.IntercommCases.Case;

/**
 * A program of all collective operations of an inter-communicator, with different lengths. For even seeds it uses the
 * blocking forms, for odd seeds it has several non-blocking ones under way at once. Public, since the worlds of mutants
 * call it.
 */
public final class IntercommStory {
    private static final int FIRST = 3;

    private IntercommStory() {}

    /**
     * Runs this program under the seeds from {@code first} to {@code last}, and stops soon after ten have failed.
     * Returns what went wrong with the lowest seed that failed, or an empty text.
     */
    public static String run(Long first, Long last, Integer ranks, String faults) {
        return Stories.run(first, last, ranks, faults, seed -> () -> play(seed));
    }

    /**
     * Each rank does the operations until one of them fails; then it revokes the inter-communicator, if it has one, and
     * finalizes.
     */
    static void play(long seed) {
        MPI.Init(new String[0]);
        Intercomm inter = null;
        try {
            inter = IntercommCases.between(FIRST);
            for (int count : new int[] {1, 0, 30}) {
                if (seed % 2 == 0) {
                    blocking(IntercommCases.all(inter, FIRST, count));
                } else {
                    started(IntercommCases.all(inter, FIRST, count));
                }
            }
            inter.barrier();
        } catch (ProcFailedException | RevokedException error) {
            if (inter != null) {
                inter.revoke();
            }
        }
        MPI.Finalize();
    }

    private static void blocking(List<Case> cases) {
        for (Case each : cases) {
            IntBuffer receive = each.received();
            each.blocking().accept(each.sent(), receive);
            check(each, receive);
        }
    }

    private static void started(List<Case> cases) {
        List<Request> requests = new ArrayList<>();
        List<IntBuffer> results = new ArrayList<>();
        for (Case each : cases) {
            IntBuffer receive = each.received();
            requests.add(each.started().apply(each.sent(), receive));
            results.add(receive);
        }
        for (int i = cases.size() - 1; i >= 0; i--) {
            requests.get(i).waitFor();
            check(cases.get(i), results.get(i));
        }
    }

    private static void check(Case each, IntBuffer receive) {
        if (each.expected() != null) {
            int[] got = new int[each.expected().length];
            receive.clear().get(got);
            assertThat(got).as(each.name()).isEqualTo(each.expected());
        }
    }
}
