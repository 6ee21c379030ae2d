package org.ulfmj.check.rendezvous.replacing;

import java.util.List;
import org.ulfmj.transport.MemberRecord;

/**
 * The message by which a newcomer is told that it is in the world of this epoch. A newcomer forwards it to the other
 * members.
 */
record Welcome(int round, int epoch, List<MemberRecord> members) {
    /** Returns a hash of the epoch and the members' nonces, which tells worlds of one epoch apart. */
    long digest() {
        long digest = epoch;
        for (MemberRecord member : members) {
            digest = 31 * digest + member.nonce();
        }
        return digest;
    }
}
