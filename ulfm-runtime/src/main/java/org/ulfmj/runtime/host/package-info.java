/**
 * Collective operations of ranks of one host, who read each other's segments: {@link org.ulfmj.runtime.host.HostGroup}
 * is the memory and its flags, the other classes are one kind of operation each. Nothing here knows of failures: any
 * rank that waits for them ({@link org.ulfmj.runtime.host.HostWaiting}) does.
 */
package org.ulfmj.runtime.host;
