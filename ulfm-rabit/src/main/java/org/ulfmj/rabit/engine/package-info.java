/**
 * What one rank of the recovery mode knows and decides: results, checkpoints, and which rank fetches what from which
 * rank. Pure: no clock, thread or I/O. The rules are those of {@code docs/use/rabit.md}, by their names (B1 to B6, D,
 * RELEASE).
 */
package org.ulfmj.rabit.engine;
