/**
 * The published results, reproduced by the shipped classes: one experiment per result, run in a LogP network or by
 * counting, judged by a rule that was fixed beforehand, printed as a table and drawn as figures.
 */
package org.ulfmj.benchmarks.reproduce;
