/**
 * Simulated worlds of the heartbeat ring and of the reliable broadcast, and what must hold wherever processes watch
 * each other.
 */
package org.ulfmj.check.detector;
