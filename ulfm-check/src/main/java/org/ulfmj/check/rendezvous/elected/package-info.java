/** A job whose coordinator is elected in etcd: candidates, the shipped core and sessions, and what etcd does. */
package org.ulfmj.check.rendezvous.elected;
