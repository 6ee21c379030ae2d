/**
 * Faults that a plan injects ({@code --inject}). {@link org.ulfmj.launch.inject.Injector} carries out the launcher's
 * own part of them, {@link org.ulfmj.launch.inject.InjectJournal} notes what happened, and
 * {@link org.ulfmj.launch.inject.Injection} is the whole plan of a job, from its random choices to comparing the result
 * with {@code --expect}.
 */
package org.ulfmj.launch.inject;
