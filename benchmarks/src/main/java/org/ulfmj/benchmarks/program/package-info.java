/** The programs that the ranks of measured jobs run, and their parts. */
package org.ulfmj.benchmarks.program;
