/**
 * Simulated worlds in which dead processes are replaced: the heartbeat ring over membership epochs, and its rules B1 to
 * B7 as invariants. The world itself decides admissions. The agreement on them is another protocol.
 */
package org.ulfmj.check.epoch;
