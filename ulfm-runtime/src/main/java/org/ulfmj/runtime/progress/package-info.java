/**
 * The one place in which a rank waits ({@link org.ulfmj.runtime.progress.Progress}), and the choice of the thread that
 * works for the rank meanwhile: in a process it is a thread that polls; in a simulated world it is the one that has the
 * {@link org.ulfmj.runtime.progress.Baton}. Of the rank, these classes know only the
 * {@link org.ulfmj.runtime.progress.Engine}, which does the work, and the
 * {@link org.ulfmj.runtime.progress.Completion}s that threads wait for.
 */
package org.ulfmj.runtime.progress;
