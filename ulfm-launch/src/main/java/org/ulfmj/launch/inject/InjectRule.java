package org.ulfmj.launch.inject;

import java.util.SortedSet;

/**
 * One rule as the user wrote it.
 *
 * @param ranks to be killed by number
 * @param drawn how many more are to be drawn
 * @param moment when
 */
record InjectRule(SortedSet<Integer> ranks, int drawn, Moment moment) {}
