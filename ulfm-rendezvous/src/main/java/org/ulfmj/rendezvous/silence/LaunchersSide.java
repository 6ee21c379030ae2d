package org.ulfmj.rendezvous.silence;

/**
 * Whether the launcher's side of a network split may go on, with {@code ulfm.ft.quorum=majority}. A process of a lost
 * host counts as a member until its end is proven or its lease has run out: the other side may be the one that goes on.
 * A launcher that reaches half of the members or fewer marks none of the others failed, and has none of them ended when
 * they are heard again; instead the job ends on the launcher's side, with the processes that it reaches. Pure.
 */
public final class LaunchersSide {
    private LaunchersSide() {}

    /**
     * @param reached number of members that the launcher still reaches
     * @param members number of members of which no end is known
     */
    public static boolean goesOn(int reached, int members) {
        return 2 * reached > members;
    }
}
