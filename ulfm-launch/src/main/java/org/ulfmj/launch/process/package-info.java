/** Processes as the system knows them: how they are started, bound to cores, signalled, stopped and looked at. */
package org.ulfmj.launch.process;
