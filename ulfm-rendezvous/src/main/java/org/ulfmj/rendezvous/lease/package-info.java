/**
 * V15: the time within which a process of another host than the launcher's may run without the coordinator, counted at
 * both ends. Pure.
 */
package org.ulfmj.rendezvous.lease;
