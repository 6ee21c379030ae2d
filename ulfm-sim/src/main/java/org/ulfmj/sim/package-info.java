/**
 * The simulator: virtual time, one event queue, a network, chance, faults, and a log with a hash. It runs schedules
 * that follow from their seeds, makes one that fails smaller, and knows no protocol.
 */
package org.ulfmj.sim;
