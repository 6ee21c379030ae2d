/**
 * For JUnit tests of programs that recover: {@link org.ulfmj.testkit.junit.SimulatedMpi} runs a program in simulated
 * time under many seeds, each of which determines another schedule. Needs JUnit Jupiter, which the rest of the module
 * does not.
 */
package org.ulfmj.testkit.junit;
