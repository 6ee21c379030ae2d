/**
 * Which ranks wait for each other: the report of each rank on its waits, as a message of bounded size, and the one page
 * that is made of all reports. {@link org.ulfmj.runtime.waits.WaitReporter} asks a rank's engine and its threads. All
 * other classes are pure: no clock, no thread, nothing of the engine.
 */
package org.ulfmj.runtime.waits;
