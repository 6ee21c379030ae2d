/** The programs that the ranks of compared jobs run. */
package org.ulfmj.benchmarks.program;
