package org.ulfmj.transport.tcp;

import java.util.SortedSet;

/**
 * The hosts between which a partition lets nothing pass, as seen from a process on one of them, by their keys
 * ({@link org.ulfmj.transport.MemberRecord#hostKey}).
 *
 * @param unheard hosts of which nothing arrives here
 * @param unreached hosts at which nothing arrives from here
 */
public record HostCut(SortedSet<Long> unheard, SortedSet<Long> unreached) implements LinkEnds {}
