/**
 * Bytes between ranks: the {@link org.ulfmj.transport.Fabric} that the runtime drives, and one sub-package a medium.
 * The classes of this package know no communicators, and do not decide that a peer has failed.
 */
package org.ulfmj.transport;
