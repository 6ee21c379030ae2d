/**
 * Simulated jobs for the judge of silences, with ranks that are stopped, wait for a disk, or lose paths to each other.
 */
package org.ulfmj.check.rendezvous.silence;
