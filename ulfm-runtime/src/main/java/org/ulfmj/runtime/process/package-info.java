/**
 * A rank that is a process: how it becomes one ({@link org.ulfmj.runtime.process.RankBootstrap}), what it hears from
 * and tells its launcher, how it finds out that a neighbour's process is gone, and how it ends.
 */
package org.ulfmj.runtime.process;
