/**
 * Ranks of one host through shared memory. {@link org.ulfmj.transport.shm.ShmMedium} is the entrance to the lanes.
 * {@link org.ulfmj.transport.shm.ShmDirectory} holds the files of one job, {@link org.ulfmj.transport.shm.ShmFiles}
 * makes and maps them, and {@link org.ulfmj.transport.shm.ShmSweeper} removes the files that dead jobs have left.
 */
package org.ulfmj.transport.shm;
