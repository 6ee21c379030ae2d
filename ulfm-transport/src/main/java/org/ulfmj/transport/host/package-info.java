/** Processes of this host: the facts that the system shows of a process, and whether it still lives. */
package org.ulfmj.transport.host;
