/** Kinds of simulated worlds of the survivor core: which program the ranks run, and what goes wrong. */
package org.ulfmj.check.survivor.scenario;
