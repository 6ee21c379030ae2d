/** Simulated running jobs with restarts and spares, whose members admit newcomers, with the shipped rendezvous core. */
package org.ulfmj.check.rendezvous.replacing;
