/**
 * Collective operations by messages. Each is a schedule, a state machine in rounds of messages and local work, so that
 * blocking and non-blocking forms are one implementation; a schedule waits for nothing and knows of no failure and no
 * engine. {@link org.ulfmj.runtime.collective.run.ScheduleRuns} are the schedules under way at a rank,
 * {@link org.ulfmj.runtime.collective.run.CollectiveRunner} waits for them.
 *
 * <p>Combination orders are fixed by rank, size and, across hosts, by which ranks share a host, and not by the order in
 * which messages arrive: results repeat to the bit.
 */
package org.ulfmj.runtime.collective;
