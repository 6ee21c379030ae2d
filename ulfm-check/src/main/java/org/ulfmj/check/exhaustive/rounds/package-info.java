/**
 * Visits every schedule of small worlds whose processes join, die, wait and are admitted, with the shipped classes of
 * the rendezvous.
 */
package org.ulfmj.check.exhaustive.rounds;
