/**
 * The store of a job: small values under keys, kept in memory by the launcher or another host of the store. The
 * server's and the process's half of a session are here, without the connection between them. Pure. Rules S1 to S8 of
 * {@code docs/inside/store.md}.
 */
package org.ulfmj.rendezvous.store;
