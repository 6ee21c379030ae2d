/** {@code mpiexec doctor}: what of a machine and of its settings matters to a job, and what should be changed. */
package org.ulfmj.launch.doctor;
