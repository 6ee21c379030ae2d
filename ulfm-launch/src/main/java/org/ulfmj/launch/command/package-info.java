/** From the command line of {@code mpiexec} to what is to be started. Pure but for looking up files. */
package org.ulfmj.launch.command;
