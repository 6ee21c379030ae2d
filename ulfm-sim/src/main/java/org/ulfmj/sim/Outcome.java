package org.ulfmj.sim;

import java.util.List;
import java.util.SortedSet;

/**
 * How one schedule went.
 *
 * @param violation null if nothing was violated
 * @param logHash equal for equal schedules
 * @param events number of logged events
 * @param virtualNs how long it took in virtual time
 * @param boundUsed the time from the last fault, input that is no message, or end or resumption of a process to the
 *     last arrival of a foreground message after it, as a part of the bound; 0 if none arrived after it
 * @param covered the interesting events that the schedule went through
 * @param items how many items its plan has, those left out included
 * @param plan the items as text, if the log was readable; empty otherwise
 */
public record Outcome(
        Violation violation,
        long logHash,
        long events,
        long virtualNs,
        double boundUsed,
        SortedSet<String> covered,
        int items,
        List<String> plan) {}
