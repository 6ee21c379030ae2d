/** Mutants: shipped sources with one rule left out, compiled in memory and loaded beside the shipped classes. */
package org.ulfmj.sim.mutant;
