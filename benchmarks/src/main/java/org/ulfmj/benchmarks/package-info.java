/**
 * The speed of the library: runs side by side with other MPIs, and runs of our jobs alone. The command is
 * {@code benchmarks/compare}. The programs that ranks run are in {@code program}, and the classes that start and ask
 * the jobs in {@code job}.
 */
package org.ulfmj.benchmarks;
