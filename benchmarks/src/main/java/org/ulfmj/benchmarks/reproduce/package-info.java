/**
 * The published results, measured again, mostly with the shipped classes. An experiment runs in a simulated LogP
 * network, or counts or computes. Its rows are printed, most of them with a verdict; some experiments also draw charts.
 */
package org.ulfmj.benchmarks.reproduce;
