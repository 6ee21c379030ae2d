/** The machine, and the MPIs on it that are compared: how jobs of each are started. */
package org.ulfmj.benchmarks.peer;
