/**
 * etcd version 3 as a store for embedding, and for the election of a coordinator: the client of its JSON gateway, the
 * backend of {@code etcd://} and {@code etcds://}, the part of a process in the election, and a server for tests and
 * single machines.
 *
 * <p>etcd is reached by {@code java.net.http}, without another library. The gateway's JSON has three habits that the
 * classes here hide: 64-bit numbers are strings, bytes are Base64, and what is 0, false or empty is left out.
 */
package org.ulfmj.rendezvous.etcd;
