package org.ulfmj.runtime.host;

/**
 * The work of a long operation, in waves of flags. A rank does the work of a wave before it shows the wave, in pieces
 * that any thread may run one after the other, without the engine lock where they are long.
 */
interface Waves {
    /**
     * The number of the last wave that a rank shows. There is work for the number behind it too: what is left to do
     * when all ranks have shown the last wave.
     */
    int lastWave();

    /** How many pieces the work of a wave has. */
    int pieces(int wave);

    /** Whether a piece has nothing to do at this rank. */
    boolean isEmpty(int wave, int piece);

    /** Does a piece of a wave's work. */
    void run(int wave, int piece);
}
