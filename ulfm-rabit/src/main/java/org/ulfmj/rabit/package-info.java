/**
 * The recovery mode: allreduce, broadcast, allgather and checkpoint that a restarted rank catches up on. The others
 * notice no more than a pause, unless all have to go back to a checkpoint. Programs use {@link org.ulfmj.rabit.Rabit};
 * {@code docs/use/rabit.md} explains it.
 */
package org.ulfmj.rabit;
