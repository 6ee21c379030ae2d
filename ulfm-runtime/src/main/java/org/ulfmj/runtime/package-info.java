/**
 * One rank: its engine (the state under one lock), communicators, collective calls, recovery, and what a program may
 * call of fault tolerance. Package {@code mpi} is built on {@link org.ulfmj.runtime.RankRuntime} and
 * {@link org.ulfmj.runtime.Communicator}.
 *
 * <p>The packages below use no class of this one: {@code transfer} sends and receives, {@code recovery} drives the
 * protocols and their decisions, {@code member} has the processes of the job, {@code message} the parts of messages,
 * {@code lent} memory that ranks of a host lend each other, {@code collective} collectives by messages, {@code host}
 * collectives in shared memory, {@code reduction} operators, {@code inter} the groups of inter-communicators,
 * {@code progress} how a thread waits, {@code waits} what a wait needs and which rank waits for which, {@code leave}
 * how a rank leaves, {@code office} a rank as a candidate for the office of coordinator, {@code error} what a failed
 * call raises, {@code hint} hints about errors, {@code side} and {@code flight} what a rank reports beside its calls,
 * {@code store} the store of the job, {@code options} the settings, {@code inject} planned faults. {@code process}, a
 * rank that is a process, is built on this package.
 */
package org.ulfmj.runtime;
