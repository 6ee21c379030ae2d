/**
 * {@code mpiexec}: starts the processes of a job, forwards their output, watches them die, kills them where a fault
 * plan says so, and determines the exit code of the job from how they ended.
 *
 * <p>{@link org.ulfmj.launch.Job} is one job. All that happens to it arrives as an event in one queue (package
 * {@code event}), which one thread takes from; {@link org.ulfmj.launch.JobLedger} keeps the state of each process, and
 * package {@code end} derives from it how the job ends, and with which exit code. The last two are pure. Package
 * {@code command} reads the command line, {@code program} finds out what a process executes, {@code process} deals with
 * processes of the system, {@code output} forwards their output, {@code inject} carries out a plan of faults, and
 * {@code archive} makes the archives of classes with which processes start faster.
 */
package org.ulfmj.launch;
