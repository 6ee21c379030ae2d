/**
 * The store of a job: small values under keys, kept by the launcher. Both ends of a session are here, without the line
 * between them. Pure. Rules S1 to S8 of {@code docs/inside/store.md}.
 */
package org.ulfmj.rendezvous.store;
