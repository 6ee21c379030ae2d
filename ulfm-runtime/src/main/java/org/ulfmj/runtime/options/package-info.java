/**
 * What a process is told before it is a rank: the options of its job, which of them exist and what they may say, its
 * place there, and the points at which it is to be killed. The launcher writes it, by
 * {@link org.ulfmj.runtime.options.LaunchEnvironment} and {@link org.ulfmj.runtime.options.JobConfiguration}; a rank
 * reads it and goes by the {@link org.ulfmj.runtime.options.RankSettings} that follow.
 */
package org.ulfmj.runtime.options;
