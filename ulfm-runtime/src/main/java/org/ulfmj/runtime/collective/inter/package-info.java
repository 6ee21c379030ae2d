/** Schedules of the collectives of inter-communicators: each group gets the data of the other one. */
package org.ulfmj.runtime.collective.inter;
