/**
 * Whole MPI programs in simulated time: {@link org.ulfmj.testkit.sim.SimWorld} runs one over the shipped runtime, and a
 * seed determines all that happens. The simulator replaces the clock, the place to wait (a baton that one thread has at
 * a time), the fabric, and the thread that works for a rank while it computes.
 */
package org.ulfmj.testkit.sim;
