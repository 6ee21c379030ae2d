package org.ulfmj.runtime.waits;

import java.util.List;

/**
 * One thread's wait inside a blocking call.
 *
 * @param thread the name of the thread; empty for the thread that called Init
 * @param forNs how long it has waited
 * @param call the MPI method that the program called: {@code recv}; empty if it is not known
 * @param site where the program made that call: {@code Jacobi.exchange(Jacobi.java:97)}; empty if that is not known
 * @param isAny whether the first of the needs that is met ends the wait, instead of all of them
 * @param needs what the wait needs; at most {@value #MOST_NEEDS}
 * @param moreNeeds how many further needs are not in the list
 */
public record Wait(
        String thread, long forNs, String call, String site, boolean isAny, List<Need> needs, int moreNeeds) {
    public static final int MOST_NEEDS = 8;

    public Wait {
        needs = List.copyOf(needs);
    }
}
