package org.ulfmj.runtime.host;

/**
 * The work of a long operation, in waves of flags. A rank does the work of a wave before it shows the wave, in pieces
 * that any thread may run one after the other, without the engine lock where they are long.
 */
interface Waves {
    /** The last wave that a rank shows. One more has work too: what is left when all have shown the last one. */
    int lastWave();

    /** How many pieces the work of a wave has. */
    int pieces(int wave);

    /** Whether a piece has nothing to do at this rank. */
    boolean isEmpty(int wave, int piece);

    /** Does a piece of a wave's work. */
    void run(int wave, int piece);
}
