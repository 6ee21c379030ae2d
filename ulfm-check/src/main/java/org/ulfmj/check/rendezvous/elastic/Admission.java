package org.ulfmj.check.rendezvous.elastic;

import java.util.List;
import org.ulfmj.transport.MemberRecord;

/**
 * A world that its members have decided on.
 *
 * @param next the next free slot number: no slot is given to two processes in a world
 */
public record Admission(int round, int epoch, List<MemberRecord> members, int next) {
    /** Returns a hash of the epoch and the members' nonces. */
    public long digest() {
        long digest = epoch;
        for (MemberRecord member : members) {
            digest = 31 * digest + member.nonce();
        }
        return digest;
    }

    boolean lists(int node) {
        return members.stream().anyMatch(member -> member.nonce() == node);
    }
}
