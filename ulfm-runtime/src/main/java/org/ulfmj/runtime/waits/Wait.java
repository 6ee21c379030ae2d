package org.ulfmj.runtime.waits;

import java.util.List;

/**
 * One thread inside a blocking call.
 *
 * @param thread name of the thread; empty for the thread that called Init
 * @param forNs how long it has waited
 * @param call the method of the program's call: {@code recv}; empty if it is not known
 * @param site where the program made that call: {@code Jacobi.exchange(Jacobi.java:97)}; empty if that is not known
 * @param isAny whether the first need that comes ends the wait
 * @param needs at most {@value #MOST_NEEDS}
 * @param moreNeeds how many more needs there are
 */
public record Wait(
        String thread, long forNs, String call, String site, boolean isAny, List<Need> needs, int moreNeeds) {
    public static final int MOST_NEEDS = 8;

    public Wait {
        needs = List.copyOf(needs);
    }
}
