package org.ulfmj.benchmarks.reproduce.detector;

/**
 * The result of one {@link DetectionRun}.
 *
 * @param ranks of the world
 * @param failures that happened at one instant
 * @param knownByAllNs time from that instant until every survivor had marked all of the dead as failed
 * @param obituaries the number of obituaries that all ranks sent: messages which tell one rank of one death
 */
record Detection(int ranks, int failures, double knownByAllNs, long obituaries) {}
