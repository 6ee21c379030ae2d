/**
 * The published results, reproduced by the shipped classes. There is one experiment per result. It runs in a LogP
 * network, or counts, and is judged by a rule that was fixed beforehand. Its result is printed as a table and drawn as
 * figures.
 */
package org.ulfmj.benchmarks.reproduce;
