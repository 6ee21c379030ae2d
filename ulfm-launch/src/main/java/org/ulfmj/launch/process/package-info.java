/** Processes of the system: how they are started, bound to cores, signalled, stopped and looked at. */
package org.ulfmj.launch.process;
