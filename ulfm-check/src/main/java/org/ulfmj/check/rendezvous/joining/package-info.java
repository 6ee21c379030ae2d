/** Simulated jobs whose ranks die or come late, with the shipped rendezvous core, up to the first world. */
package org.ulfmj.check.rendezvous.joining;
