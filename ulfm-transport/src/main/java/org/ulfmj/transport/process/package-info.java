/**
 * The fabric of a rank that is a process of a host: shared memory to the ranks of its host, TCP to all others. The
 * classes of one medium do not use those of the other; {@link org.ulfmj.transport.process.ProcessFabric} uses both.
 */
package org.ulfmj.transport.process;
