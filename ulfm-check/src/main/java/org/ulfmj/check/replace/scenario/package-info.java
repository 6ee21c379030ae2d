/** The scenario in which failed ranks are replaced: the program of the ranks, and the faults. */
package org.ulfmj.check.replace.scenario;
