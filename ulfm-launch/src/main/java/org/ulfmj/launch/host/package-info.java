/**
 * Parts of the work of a host for a job, done by the launcher for its own host and by a host agent for another: the
 * job's directory, the watch over the processes, and the end of their early binding. Also the files that the launchers
 * of an elastic job share.
 */
package org.ulfmj.launch.host;
