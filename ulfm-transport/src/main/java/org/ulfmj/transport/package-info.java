/**
 * Bytes between ranks: the {@link org.ulfmj.transport.Fabric} that the runtime drives, with a sub-package per medium.
 * The classes of this package do not decide that a peer has failed.
 */
package org.ulfmj.transport;
