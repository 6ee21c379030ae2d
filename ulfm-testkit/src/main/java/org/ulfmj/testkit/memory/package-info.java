/**
 * Code that shares memory, explored access by access: a copy of its source, compiled with a call of
 * {@link org.ulfmj.testkit.memory.SharedAccess#point} in front of each access, runs in every interleaving of its
 * threads up to a number of switches ({@link org.ulfmj.testkit.memory.Interleavings}).
 */
package org.ulfmj.testkit.memory;
