/**
 * Faults that a plan injects ({@code --inject}): {@link org.ulfmj.launch.inject.Injector} carries out those that are
 * the launcher's, {@link org.ulfmj.launch.inject.InjectJournal} notes what happened,
 * {@link org.ulfmj.launch.inject.Injection} is the plan of a job from its first line to the judgement on it.
 */
package org.ulfmj.launch.inject;
