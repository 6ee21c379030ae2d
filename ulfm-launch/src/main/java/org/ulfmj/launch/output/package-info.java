/**
 * The output of ranks and launcher: lines are kept whole, and forwarded without holding up the job.
 * {@link org.ulfmj.launch.output.Report} has the launcher's own lines, {@link org.ulfmj.launch.output.RankStreams}
 * finds out where the output of each rank goes.
 */
package org.ulfmj.launch.output;
