/**
 * Turns the command line of {@code mpiexec} into the request for a job. The only access to the system is to look up and
 * read files.
 */
package org.ulfmj.launch.command;
