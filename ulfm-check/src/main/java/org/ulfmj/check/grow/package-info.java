/**
 * Worlds that grow: members let in processes that have no slot. A process is its nonce here, as messages between two
 * processes name both slots and both nonces.
 */
package org.ulfmj.check.grow;
