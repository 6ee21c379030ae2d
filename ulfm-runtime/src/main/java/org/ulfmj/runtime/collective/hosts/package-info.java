/** Schedules of collectives whose members are on several hosts: little passes between hosts, mostly between leaders. */
package org.ulfmj.runtime.collective.hosts;
