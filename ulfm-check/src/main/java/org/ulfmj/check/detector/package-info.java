/**
 * Simulated worlds of the heartbeat ring, of the reliable broadcast, and of ranks that judge silences without a
 * launcher; and invariants of worlds in which processes detect each other's failures.
 */
package org.ulfmj.check.detector;
