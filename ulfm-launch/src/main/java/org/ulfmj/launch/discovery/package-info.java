/**
 * The hosts and slots of an elastic job, asked of a command of the user's again and again, and what follows for the
 * job's processes.
 */
package org.ulfmj.launch.discovery;
