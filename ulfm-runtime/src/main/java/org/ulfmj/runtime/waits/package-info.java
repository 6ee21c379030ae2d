/**
 * Which ranks wait for each other: the report of each rank on its waits, as a message of bounded size, and the one page
 * that is made of all reports. Pure: no clock, no thread, nothing of the engine.
 */
package org.ulfmj.runtime.waits;
