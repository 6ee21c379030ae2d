/**
 * Simulated worlds of the heartbeat ring and of the reliable broadcast, and the invariants of all worlds in which
 * processes watch each other.
 */
package org.ulfmj.check.detector;
