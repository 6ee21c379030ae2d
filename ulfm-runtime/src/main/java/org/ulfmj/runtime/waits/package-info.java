/**
 * Who waits for whom: what each rank its own says waits, as a message of bounded size, and the one page that is made of
 * what all of them say. Pure: no clock, no thread, nothing of the engine.
 */
package org.ulfmj.runtime.waits;
