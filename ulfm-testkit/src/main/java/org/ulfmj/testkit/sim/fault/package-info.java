/** The faults of a simulated run: the rules that a user writes, and the faults that a seed draws from them. */
package org.ulfmj.testkit.sim.fault;
