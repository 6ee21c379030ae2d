/**
 * Which process takes the place of a failed one, and when: the policy of a launcher, driven by {@code mpiexec} and by
 * the launchers of the testkit. Pure.
 */
package org.ulfmj.rendezvous.replacement;
