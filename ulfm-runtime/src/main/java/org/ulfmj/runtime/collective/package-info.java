/**
 * Collective operations as schedules: each is a state machine in rounds of messages and local work, so that blocking
 * and non-blocking forms are one implementation and nothing here waits, knows of failures or touches an engine.
 *
 * <p>Combination orders are fixed by rank and size alone, never by who is first: results repeat to the bit.
 */
package org.ulfmj.runtime.collective;
