package org.ulfmj.runtime;

import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;

/**
 * Which rank of which job this is.
 *
 * @param id slot and incarnation of this process
 * @param members of the world it joined
 * @param jobSecret the key under which communicators get their ids; the same at all members
 */
public record RankIdentity(ProcessId id, Membership members, byte[] jobSecret) {
    public RankIdentity {
        if (!members.contains(id)) {
            throw new IllegalArgumentException("process " + id + " is not a member of " + members);
        }
    }
}
