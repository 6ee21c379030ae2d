/**
 * What a host does for its part of a job, in the launcher for its own host and in a host agent for another: it keeps
 * the job's directory, starts processes, and watches them.
 */
package org.ulfmj.launch.host;
