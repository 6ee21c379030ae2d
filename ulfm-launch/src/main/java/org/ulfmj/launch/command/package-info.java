/** From the command line of {@code mpiexec} to the request for a job. Pure but for looking up files. */
package org.ulfmj.launch.command;
