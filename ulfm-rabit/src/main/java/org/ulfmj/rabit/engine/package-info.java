/**
 * What one rank of the recovery mode knows and decides: results, checkpoints, and which rank fetches what from which
 * rank. Pure: no clock, thread or I/O. {@code docs/use/rabit.md} explains most of the rules that comments here name (B1
 * to B6, RELEASE).
 */
package org.ulfmj.rabit.engine;
