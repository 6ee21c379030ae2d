/**
 * The store of a job: values under keys, kept in the memory of one process, such as the launcher. The server's and the
 * process's half of a session are here, without the connection between them. Pure. Rules S1 to S8 of
 * {@code docs/inside/store.md}.
 */
package org.ulfmj.rendezvous.store;
