package org.ulfmj.runtime.waits;

import java.util.List;

/**
 * One thread inside a blocking call.
 *
 * @param thread its name; empty for the thread that called Init
 * @param forNs how long it has waited
 * @param call the method of the program's call: {@code recv}; empty if it is not known
 * @param site where the program called it: {@code Jacobi.exchange(Jacobi.java:97)}; empty if it is not known
 * @param isAny whether the first of its needs ends it
 * @param needs at most {@value #MOST_NEEDS}
 * @param moreNeeds how many more there are
 */
public record Wait(
        String thread, long forNs, String call, String site, boolean isAny, List<Need> needs, int moreNeeds) {
    public static final int MOST_NEEDS = 8;

    public Wait {
        needs = List.copyOf(needs);
    }
}
