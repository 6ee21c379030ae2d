/**
 * Virtual time, a simulated network, failures by plan, invariants and mutants: runs the shipped protocol classes through
 * seeded schedules. One seed is one schedule, in every JVM.
 */
package org.ulfmj.sim;
