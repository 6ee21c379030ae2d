/**
 * The place in a process where a thread sleeps for input: the {@link org.ulfmj.transport.seat.SeatSelector}, in which
 * links, lifelines, the bell of shared memory and the line to the launcher watch their channels.
 */
package org.ulfmj.transport.seat;
