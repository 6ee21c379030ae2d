/**
 * The fabric of a rank that is a process of a host: shared memory to the ranks of its host, TCP to all others. The
 * media do not know each other; {@link org.ulfmj.transport.process.ProcessFabric} knows both.
 */
package org.ulfmj.transport.process;
