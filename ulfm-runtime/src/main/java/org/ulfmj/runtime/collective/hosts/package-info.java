/** Schedules of collectives whose members are on several hosts: data goes once to each host, between leaders. */
package org.ulfmj.runtime.collective.hosts;
