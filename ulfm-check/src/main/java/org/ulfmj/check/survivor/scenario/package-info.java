/** Scenarios of the survivor core: the programs of the ranks, and the faults. */
package org.ulfmj.check.survivor.scenario;
