package org.ulfmj.rendezvous.silence;

/** J5: one process is to end. Nothing else is decided until its end is proven, or found impossible. */
final class Verdict {
    final Subject victim;
    final String reason;

    /** When SIGKILL was last sent. */
    long killedNs;

    Verdict(Subject victim, String reason, long killedNs) {
        this.victim = victim;
        this.reason = reason;
        this.killedNs = killedNs;
    }
}
