/**
 * Turns the command line of {@code mpiexec} into the request for a job. Starts no process and writes no file: it only
 * looks up and reads files, and counts cores.
 */
package org.ulfmj.launch.command;
