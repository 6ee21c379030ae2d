/** Processes of the system: how they are started, bound to cores, signalled, stopped and observed. */
package org.ulfmj.launch.process;
