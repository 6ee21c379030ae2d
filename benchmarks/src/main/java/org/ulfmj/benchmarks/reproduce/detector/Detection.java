package org.ulfmj.benchmarks.reproduce.detector;

/**
 * What came of one {@link DetectionRun}.
 *
 * @param ranks of the world
 * @param failures that happened at one instant
 * @param knownByAllNs from that instant until every survivor had marked all of them failed
 * @param obituaries messages that told of a failure
 */
record Detection(int ranks, int failures, double knownByAllNs, long obituaries) {}
