/**
 * Mutants: shipped classes with one rule taken out of their source text, compiled in memory and run in a simulation of
 * their own, to show that the simulation notices.
 */
package org.ulfmj.sim.mutant;
