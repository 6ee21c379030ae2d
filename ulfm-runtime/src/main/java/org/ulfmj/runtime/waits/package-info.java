/**
 * Which ranks wait for each other: the report of each rank on its waits, as a message of bounded size, and the one page
 * that is made from all reports. {@link org.ulfmj.runtime.waits.WaitReporter} reads a rank's engine and its threads'
 * stacks. The other classes use no clock and no thread.
 */
package org.ulfmj.runtime.waits;
