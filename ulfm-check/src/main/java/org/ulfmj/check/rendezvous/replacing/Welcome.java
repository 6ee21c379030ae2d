package org.ulfmj.check.rendezvous.replacing;

import java.util.List;
import org.ulfmj.transport.MemberRecord;

/** The message by which a member tells a newcomer that the newcomer is in the world of this epoch. */
record Welcome(int round, int epoch, List<MemberRecord> members) {
    /** Returns a hash of the members' nonces, so that two worlds of one epoch differ. */
    long digest() {
        long digest = epoch;
        for (MemberRecord member : members) {
            digest = 31 * digest + member.nonce();
        }
        return digest;
    }
}
