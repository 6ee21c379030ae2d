/**
 * Whole MPI programs in simulated time: {@link org.ulfmj.testkit.sim.SimWorld} runs one over the shipped runtime, and
 * what a seed says is what happens. Injected are the clock, the place to wait (a baton that one thread has at a time),
 * the fabric, and who works for a rank while it computes.
 */
package org.ulfmj.testkit.sim;
