/**
 * Simulated jobs whose coordinator is elected in etcd: candidates and sessions, with the shipped core, and a simulation
 * of etcd.
 */
package org.ulfmj.check.rendezvous.elected;
