/**
 * A fuzzer of parsers: it makes inputs, most of them from valid samples, and checks that a parser takes each of them or
 * refuses it as declared, soon, and without much memory. It reads real clocks, not virtual time.
 */
package org.ulfmj.sim.fuzz;
