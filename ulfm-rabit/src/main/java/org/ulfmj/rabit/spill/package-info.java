/** Checkpoints on a disk, from which a job goes on if something that it needs is in no rank's memory any more. */
package org.ulfmj.rabit.spill;
