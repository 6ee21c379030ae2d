package org.ulfmj.runtime.inject;

import java.util.SortedSet;

/**
 * One rule as the user wrote it.
 *
 * @param action what happens
 * @param ranks the ranks that the rule names, directly or by their host
 * @param drawn how many more ranks are to be drawn
 * @param incarnation which process of the slot: 0 for the first;
 *     {@link org.ulfmj.runtime.options.FaultTrigger#EVERY_INCARNATION} for all
 * @param link the links that it happens to; null if it happens to no links
 * @param hosts the hosts that it happens to; null if it happens to no hosts
 * @param terms how strong the fault is
 * @param random what is left to the seed; null unless the action is {@link FaultAction#RANDOM}
 * @param moment when the fault begins
 * @param durationNs how long the fault lasts; 0 if the rule does not say
 */
public record InjectRule(
        FaultAction action,
        SortedSet<Integer> ranks,
        int drawn,
        int incarnation,
        LinkChoice link,
        HostChoice hosts,
        FaultTerms terms,
        RandomTerms random,
        Moment moment,
        long durationNs) {
    /** A rule by which ranks are killed. */
    public InjectRule(SortedSet<Integer> ranks, int drawn, int incarnation, Moment moment) {
        this(FaultAction.KILL, ranks, drawn, incarnation, null, null, FaultTerms.NONE, null, moment, 0);
    }

    /** Whether a part of the rule is to be drawn. */
    boolean isRandom() {
        return drawn > 0
                || random != null
                || moment instanceof Moment.AtRandomTime
                || moment instanceof Moment.AtRandomOperation
                || moment instanceof Moment.AtRandomByte;
    }
}
