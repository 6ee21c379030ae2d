/** The machine, the MPIs on it that are compared, and how their jobs are started. */
package org.ulfmj.benchmarks.peer;
