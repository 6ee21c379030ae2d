/** Checkpoints on a disk, from which a job begins again if no rank has them in memory any more. */
package org.ulfmj.rabit.spill;
