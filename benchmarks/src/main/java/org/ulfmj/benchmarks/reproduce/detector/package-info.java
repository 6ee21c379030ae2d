/** The published results about the heartbeat ring: how soon deaths are known, and how long its timeout may be. */
package org.ulfmj.benchmarks.reproduce.detector;
