/**
 * The published results, reproduced by the shipped classes. An experiment runs in a simulated LogP network, or counts
 * or computes, and is judged by rules that were fixed beforehand. Its rows are printed; some experiments also draw
 * charts.
 */
package org.ulfmj.benchmarks.reproduce;
