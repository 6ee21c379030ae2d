/**
 * Simulated worlds in which dead processes are replaced: the heartbeat ring over membership epochs, and its rules B1 to
 * B7 as invariants. Admissions are decided by a hand from outside; how that is agreed on is another protocol.
 */
package org.ulfmj.check.epoch;
