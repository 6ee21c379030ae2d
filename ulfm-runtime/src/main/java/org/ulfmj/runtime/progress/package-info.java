/**
 * The one place in which a rank waits ({@link org.ulfmj.runtime.progress.Progress}), and which thread works for it
 * meanwhile: in a process a thread that polls, or the thread that holds the {@link org.ulfmj.runtime.progress.Baton},
 * in a simulated world. These classes know nothing of the rank but its {@link org.ulfmj.runtime.progress.Engine}, which
 * does the work, and the {@link org.ulfmj.runtime.progress.Completion}s that threads wait for.
 */
package org.ulfmj.runtime.progress;
