/**
 * The bytes of a protected connection after its handshake: {@linkplain org.ulfmj.transport.record.RecordChannel
 * encrypted records}, under keys of that connection alone. {@link org.ulfmj.transport.record.Protection} decides which
 * connections carry them.
 */
package org.ulfmj.transport.record;
