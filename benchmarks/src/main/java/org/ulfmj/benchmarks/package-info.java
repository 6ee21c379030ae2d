/**
 * The speed of the library: side-by-side runs against other MPIs. The command is {@code benchmarks/compare}. The
 * programs that ranks run are in {@code program}, and the classes that start and ask the jobs in {@code job}.
 */
package org.ulfmj.benchmarks;
