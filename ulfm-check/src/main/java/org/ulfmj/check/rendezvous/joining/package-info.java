/** Simulated static jobs of one world whose ranks die or come late, with the shipped rendezvous core. */
package org.ulfmj.check.rendezvous.joining;
