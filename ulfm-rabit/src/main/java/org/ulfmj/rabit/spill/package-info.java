/** Checkpoints on a disk, from which a job begins again. */
package org.ulfmj.rabit.spill;
