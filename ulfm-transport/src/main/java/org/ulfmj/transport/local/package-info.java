/**
 * Ranks as threads of one virtual machine: a {@link org.ulfmj.transport.local.LocalHub} holds a
 * {@link org.ulfmj.transport.local.LocalFabric} for each of them. A lane is a single-producer single-consumer queue of
 * pooled records; a payload is copied once, when it is offered.
 */
package org.ulfmj.transport.local;
