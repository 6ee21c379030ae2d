/**
 * Simulated jobs for the judge of silences and the leases, with hosts that are cut off from each other, lose their
 * agents, or stop.
 */
package org.ulfmj.check.rendezvous.hosts;
