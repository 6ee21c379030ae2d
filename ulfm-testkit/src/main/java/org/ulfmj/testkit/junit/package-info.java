/**
 * For JUnit tests of programs that recover: {@link org.ulfmj.testkit.junit.SimulatedMpi} runs one in simulated time
 * under many seeds, each a schedule with its own deaths. Needs JUnit Jupiter, which the rest of the module does not.
 */
package org.ulfmj.testkit.junit;
