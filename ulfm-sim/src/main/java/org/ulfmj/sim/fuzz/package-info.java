/**
 * A fuzzer of parsers: it makes inputs from valid samples, and shows that a parser takes each of them or refuses it as
 * declared, soon, and without much memory. The only package of the simulator that reads a clock.
 */
package org.ulfmj.sim.fuzz;
