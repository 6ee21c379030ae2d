/** V15: the time within which a process of another host may run without the coordinator, counted at both ends. Pure. */
package org.ulfmj.rendezvous.lease;
