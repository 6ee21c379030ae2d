/**
 * How fast it is: side-by-side runs against other MPIs. The command is {@code benchmarks/compare}; the programs that
 * ranks run are in {@code program}, what starts and asks them in {@code job}.
 */
package org.ulfmj.benchmarks;
