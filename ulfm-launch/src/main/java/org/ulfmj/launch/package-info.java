/**
 * {@code mpiexec}: starts the processes of a job, forwards what they write, watches them die, kills them where a plan
 * says so, and judges the job by how they ended.
 *
 * <p>{@link org.ulfmj.launch.Job} is one job. All that happens to it arrives as a {@link org.ulfmj.launch.JobEvent} in
 * one queue, which one thread takes from; what is known of each process is in {@link org.ulfmj.launch.JobLedger}, and
 * what the job's exit code follows from is {@link org.ulfmj.launch.ExitPolicy}. The last two are pure. Package
 * {@code command} reads the command line, {@code process} has what the system knows of processes, {@code output} what
 * they write, {@code archive} the class data archive.
 */
package org.ulfmj.launch;
