/**
 * Which schedule a collective operation by messages goes by, and its packed arguments: on one host, on several hosts,
 * and between the two groups of an inter-communicator.
 */
package org.ulfmj.runtime.collective.choice;
