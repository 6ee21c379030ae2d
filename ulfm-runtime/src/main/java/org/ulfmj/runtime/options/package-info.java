/**
 * The facts that a process is told before it is a rank: the options of its job, its place in the job, and the points at
 * which planned faults hit it; also which options exist and which values they may have. The launcher writes these
 * facts, by {@link org.ulfmj.runtime.options.LaunchEnvironment} and {@link org.ulfmj.runtime.options.JobConfiguration};
 * a rank reads them and goes by the {@link org.ulfmj.runtime.options.RankSettings} that follow.
 */
package org.ulfmj.runtime.options;
