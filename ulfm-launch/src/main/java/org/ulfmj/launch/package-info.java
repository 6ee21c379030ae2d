/**
 * {@code mpiexec}: starts the processes of a job, forwards their output, watches them die, kills them where a plan says
 * so, and judges the job by how they ended.
 *
 * <p>{@link org.ulfmj.launch.Job} is one job. All that happens to it arrives as a {@link org.ulfmj.launch.JobEvent} in
 * one queue, which one thread takes from; {@link org.ulfmj.launch.JobLedger} keeps the state of each process, and
 * {@link org.ulfmj.launch.ExitPolicy} derives the job's exit code from it. The last two are pure. Package
 * {@code command} reads the command line, {@code process} deals with processes of the system, {@code output} forwards
 * their output, and {@code archive} makes what processes start from.
 */
package org.ulfmj.launch;
