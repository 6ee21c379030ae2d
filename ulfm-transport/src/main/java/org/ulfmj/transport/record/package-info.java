/**
 * The bytes of a connection between hosts after its handshake: {@linkplain org.ulfmj.transport.record.RecordChannel
 * encrypted records}, under keys of that connection alone. {@link org.ulfmj.transport.record.Protection} decides which
 * connections carry them. No class of the JDK's cryptography is loaded before the first such connection is open.
 */
package org.ulfmj.transport.record;
