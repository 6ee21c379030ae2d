/**
 * The ranks that wait for each other: what each rank says of its own waits, as a message of bounded size, and the one
 * page that is made of what all of them say. Pure: no clock, no thread, nothing of the engine.
 */
package org.ulfmj.runtime.waits;
