/**
 * Simulated worlds of the heartbeat ring and of the reliable broadcast, and the invariants of all worlds in which
 * processes detect each other's failures.
 */
package org.ulfmj.check.detector;
