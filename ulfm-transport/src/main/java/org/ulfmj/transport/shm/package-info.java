/**
 * Ranks of one host through shared memory. {@link org.ulfmj.transport.shm.ShmMedium} is the door to the lanes;
 * {@link org.ulfmj.transport.shm.ShmDirectory} is where the files of one job are,
 * {@link org.ulfmj.transport.shm.ShmFiles} makes and maps them, {@link org.ulfmj.transport.shm.ShmSweeper} removes what
 * the dead left behind.
 */
package org.ulfmj.transport.shm;
