/**
 * The recovery mode: allreduce, broadcast, allgather and checkpoint that a restarted rank catches up on, while the
 * others do not notice more than a pause. Programs use {@link org.ulfmj.rabit.Rabit}; {@code docs/use/rabit.md}
 * explains it.
 */
package org.ulfmj.rabit;
