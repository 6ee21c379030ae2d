/**
 * A coordinator that is elected in etcd, and whose state is kept there, so that another process can go on from it.
 * Pure; the requests are sent by the caller.
 */
package org.ulfmj.rendezvous.elect;
