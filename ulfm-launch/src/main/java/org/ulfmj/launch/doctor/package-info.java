/**
 * {@code mpiexec doctor}: checks those properties of a machine and of its settings that matter to a job, and says what
 * should be changed.
 */
package org.ulfmj.launch.doctor;
