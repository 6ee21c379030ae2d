/**
 * Simulated worlds that grow: members let in processes that have no slot. A process is identified by its nonce here, as
 * each message between two processes names both slots and both nonces.
 */
package org.ulfmj.check.grow;
