/** Processes of this host: what the system says of one, and whether it still lives. */
package org.ulfmj.transport.host;
