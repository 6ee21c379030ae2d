package org.ulfmj.rendezvous.silence;

/**
 * Whether the launcher's side of a split may go on, with {@code ulfm.ft.quorum=majority}. A process of a lost host
 * counts as a member until its end is proven or counts as proven: the other side may be what goes on. So a launcher
 * that reaches half of the members or fewer holds none of the others for failed, and has none of them ended when they
 * are heard again; it ends, with what it reaches. Pure.
 */
public final class LaunchersSide {
    private LaunchersSide() {}

    /**
     * @param reached members that the launcher still reaches
     * @param members those of which no end is known
     */
    public static boolean goesOn(int reached, int members) {
        return 2 * reached > members;
    }
}
