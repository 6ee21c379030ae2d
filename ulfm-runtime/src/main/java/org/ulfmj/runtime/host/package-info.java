/**
 * Collective operations of ranks of one host, which read each other's segments.
 * {@link org.ulfmj.runtime.host.HostCollectives} has the blocking calls and the error rules,
 * {@link org.ulfmj.runtime.host.HostRuns} the non-blocking calls, {@link org.ulfmj.runtime.host.HostSetup} how members
 * come to share memory for the blocking ones. {@link org.ulfmj.runtime.host.HostGroup} is the memory of these and its
 * flags, with classes for the operations on it; these classes know of no failure, since what waits for them
 * ({@link org.ulfmj.runtime.host.HostWaiting}) does.
 */
package org.ulfmj.runtime.host;
