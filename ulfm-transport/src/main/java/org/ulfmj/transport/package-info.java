/**
 * Bytes between ranks: the {@link org.ulfmj.transport.Fabric} that the runtime drives, and one sub-package a medium.
 * Nothing here knows of communicators or decides that a peer has failed.
 */
package org.ulfmj.transport;
