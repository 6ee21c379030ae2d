/**
 * The one place in which a rank waits ({@link org.ulfmj.runtime.progress.Progress}), and who works for it meanwhile:
 * threads that poll, in a process, or any thread that holds the {@link org.ulfmj.runtime.progress.Baton}, in a
 * simulated world. What there is to do is the {@link org.ulfmj.runtime.progress.Engine}'s, and what is waited for a
 * {@link org.ulfmj.runtime.progress.Completion}; nothing else of the rank is known here.
 */
package org.ulfmj.runtime.progress;
