/**
 * Changes of etcd, a store without sessions, that are carried out at most once (rules S9 to S11 of
 * {@code docs/inside/store.md}): transactions as data, and the client that makes them. Pure.
 */
package org.ulfmj.rendezvous.marked;
