/**
 * The work of a host for its part of a job, done by the launcher for its own host and by a host agent for another: it
 * keeps the job's directory, starts processes, and watches them.
 */
package org.ulfmj.launch.host;
