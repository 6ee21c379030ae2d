/**
 * One rank: its engine (who waits, who polls), matching, communicators, collective schedules, and what a program may
 * call of fault tolerance. {@link org.ulfmj.runtime.RankRuntime} and {@link org.ulfmj.runtime.Communicator} are what
 * package {@code mpi} is written on.
 */
package org.ulfmj.runtime;
