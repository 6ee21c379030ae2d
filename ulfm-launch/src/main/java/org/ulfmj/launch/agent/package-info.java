/**
 * Jobs on several hosts. On each other host one agent starts, watches and ends the processes of that host, and passes
 * on their output; the launcher decides. The line between launcher and agent is a link session, over which nothing is
 * lost when a connection breaks.
 */
package org.ulfmj.launch.agent;
