/**
 * Ranks as threads of one virtual machine: a {@link org.ulfmj.transport.local.LocalHub} holds a
 * {@link org.ulfmj.transport.local.LocalFabric} for each of them. A lane is a single-producer single-consumer queue of
 * pooled records; the sender copies a payload once, into a record.
 */
package org.ulfmj.transport.local;
