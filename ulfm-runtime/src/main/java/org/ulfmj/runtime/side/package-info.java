/**
 * The parts of a rank that report and run things beside the program's MPI calls: events for a flight recording and
 * lines on stderr ({@link org.ulfmj.runtime.side.FlightRecord}), and the program's actions for signals. Lines and
 * actions have separate threads.
 */
package org.ulfmj.runtime.side;
