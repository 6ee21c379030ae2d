/** The command {@code benchmarks/reproduce}: runs the experiments, and writes their figures. */
package org.ulfmj.benchmarks.reproduce.command;
