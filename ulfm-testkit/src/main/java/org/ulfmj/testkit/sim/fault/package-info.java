/** The faults of a simulated run: the rules that a user writes, and what a seed makes of them. */
package org.ulfmj.testkit.sim.fault;
