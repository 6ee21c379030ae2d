/**
 * A rank that is a process: how it becomes a rank ({@link org.ulfmj.runtime.process.RankBootstrap}), what the launcher
 * tells it and what it tells the launcher, how it finds out that a neighbour's process is gone, and how it ends.
 */
package org.ulfmj.runtime.process;
