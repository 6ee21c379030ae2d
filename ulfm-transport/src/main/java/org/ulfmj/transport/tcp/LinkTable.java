package org.ulfmj.transport.tcp;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.MarkedProcesses;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.TransportLog;
import org.ulfmj.transport.session.LinkIdentity;

/**
 * The links of a rank, by process. A link belongs to a member of the job, to a caller that was not admitted yet, or,
 * until its connections have ended, to a process that was marked failed or replaced. A slot has one member at a time,
 * and never goes back to an earlier member. Under the engine lock.
 */
final class LinkTable {
    private final TcpFabric fabric;
    private final LinkIdentity self;
    private final Timing timing;

    /** Links to members, and to callers treated like members, by slot; null for this rank and for other slots. */
    private TcpLink[] members = {};

    /** Links of processes that have called and were not admitted, by slot. */
    private final Map<Integer, TcpLink> uninvited = new TreeMap<>();
    /**
     * Links of processes that were marked failed or replaced and are no members or callers any more, until their
     * connections have ended.
     */
    private final List<TcpLink> former = new ArrayList<>();

    private final MarkedProcesses tombstones = new MarkedProcesses();
    private boolean isLeaving;
    /**
     * Whether a caller that was not admitted is treated like a member, if its slot has no member: its frames are read.
     */
    private boolean areStrangersTaken;
    /** Whether a lost connection is followed by a new one. */
    private boolean areResumed = true;

    LinkTable(TcpFabric fabric, LinkIdentity self, Timing timing) {
        this.fabric = fabric;
        this.self = self;
        this.timing = timing;
    }

    static LinkIdentity identityOf(MemberRecord member) {
        return new LinkIdentity(member.id(), member.nonce());
    }

    /** The address of a member's listener. The host is an address in text form, so no name service is asked. */
    private static InetSocketAddress addressOf(MemberRecord member) {
        return new InetSocketAddress(member.address(), member.tcpPort());
    }

    // ---- members

    void resume(boolean newAreResumed) {
        areResumed = newAreResumed;
    }

    void takeStrangers(boolean areTaken) {
        areStrangersTaken = areTaken;
    }

    /** Makes the links to the members of the start table, without this rank itself. */
    void connect(List<MemberRecord> table) {
        int slots = 0;
        for (MemberRecord member : table) {
            slots = Math.max(slots, member.id().slot() + 1);
        }
        members = new TcpLink[slots];
        for (MemberRecord member : table) {
            if (member.id().slot() != self.id().slot()) {
                members[member.id().slot()] = newLink(identityOf(member), addressOf(member));
            }
        }
    }

    private TcpLink newLink(LinkIdentity peer, InetSocketAddress address) {
        return new TcpLink(fabric, self, peer, address, timing, areResumed);
    }

    /** The link to a process; null if the process is not the member of its slot. */
    TcpLink find(ProcessId peer) {
        TcpLink link = member(peer.slot());
        return link != null && link.peer().equals(peer) ? link : null;
    }

    private TcpLink member(int slot) {
        return slot < members.length ? members[slot] : null;
    }

    /** The member that has a slot; null if there is none. */
    ProcessId processIn(int slot) {
        TcpLink link = member(slot);
        return link == null ? null : link.peer();
    }

    /**
     * Gives a slot to a newcomer. Returns false, and changes no link, if the newcomer is marked failed or would get the
     * slot of this rank, if the newcomer or a later process of its slot is a member already, or if this rank leaves.
     */
    boolean admit(MemberRecord member, long nowNs) {
        ProcessId id = member.id();
        if (id.slot() == self.id().slot() || tombstones.cover(id) || isLeaving) {
            return false;
        }
        LinkIdentity peer = identityOf(member);
        TcpLink known = member(id.slot());
        if (known != null && known.peer().incarnation() >= id.incarnation()) {
            if (known.identity().equals(peer)) {
                return known.isStranger() && invite(known, member);
            }
            if (known.peer().equals(id)) {
                known.misnamed(peer);
            }
            return false;
        }
        tombstones.addBefore(id);
        if (known != null) {
            retire(known, nowNs);
        }
        put(id.slot(), linkTo(peer, addressOf(member), nowNs));
        return true;
    }

    private void put(int slot, TcpLink link) {
        if (slot >= members.length) {
            members = Arrays.copyOf(members, slot + 1);
        }
        members[slot] = link;
    }

    private static boolean invite(TcpLink stranger, MemberRecord member) {
        stranger.invite(addressOf(member));
        return true;
    }

    /** The link of a newcomer: the link by which the newcomer has called this rank already, or a new one. */
    private TcpLink linkTo(LinkIdentity peer, InetSocketAddress address, long nowNs) {
        TcpLink caller = uninvited.get(peer.id().slot());
        if (caller != null && caller.peer().incarnation() <= peer.id().incarnation()) {
            uninvited.remove(peer.id().slot());
            if (caller.identity().equals(peer)) {
                caller.invite(address);
                return caller;
            }
            retire(caller, nowNs);
        }
        return newLink(peer, address);
    }

    /** Marks a process failed, whether it is a member or not. */
    void abandon(ProcessId peer, long nowNs) {
        tombstones.add(peer);
        TcpLink link = find(peer);
        if (link != null) {
            mark(link, nowNs);
        }
        TcpLink caller = uninvited.get(peer.slot());
        if (caller != null && tombstones.cover(caller.peer())) {
            retire(uninvited.remove(peer.slot()), nowNs);
        }
    }

    private static void mark(TcpLink link, long nowNs) {
        link.session().mark(nowNs);
        link.settle(nowNs);
    }

    /**
     * Keeps a link among the former ones until its connections have ended. Its process was marked failed or replaced,
     * and is no member or caller any more.
     */
    private void retire(TcpLink link, long nowNs) {
        link.letGo();
        mark(link, nowNs);
        former.add(link);
    }

    // ---- callers

    /** The link for a proven process of the job that has called; null if the call is not to be answered. */
    TcpLink calledBy(LinkIdentity caller, long nowNs) {
        TcpLink link = member(caller.id().slot());
        if (link == null || link.peer().incarnation() < caller.id().incarnation()) {
            return uninvitedLink(caller, nowNs);
        }
        return link;
    }

    /**
     * The link for a caller that is not a member; null if the caller is not to be answered. A rank that leaves makes no
     * new link, because it would have to end the link at once (rule L17).
     */
    private TcpLink uninvitedLink(LinkIdentity caller, long nowNs) {
        int slot = caller.id().slot();
        if (slot == self.id().slot()) {
            TransportLog.error("rank " + caller + " opens a connection to rank " + self + ", which has its slot");
            return null;
        }
        if (isLeaving) {
            return null;
        }
        if (tombstones.cover(caller.id())) {
            TcpLink over = newLink(caller, null);
            retire(over, nowNs);
            return over;
        }
        TcpLink known = uninvited.get(slot);
        if (known != null && known.peer().incarnation() >= caller.id().incarnation()) {
            return known;
        }
        if (known != null) {
            uninvited.remove(slot);
            retire(known, nowNs);
        }
        TcpLink link = newLink(caller, null);
        if (areStrangersTaken && member(slot) == null) {
            put(slot, link);
            return link;
        }
        link.hold();
        uninvited.put(slot, link);
        return link;
    }

    // ---- all of them

    void onTick(long nowNs) {
        for (TcpLink link : members) {
            if (link != null) {
                link.onTick(nowNs);
            }
        }
        if (!uninvited.isEmpty()) {
            for (TcpLink link : uninvited.values()) {
                link.onTick(nowNs);
            }
        }
        for (int i = former.size() - 1; i >= 0; i--) {
            former.get(i).onTick(nowNs);
        }
        forgetClosed();
    }

    /** Resets the connections to all members (a fault for tests). */
    void resetConnections(long nowNs) {
        for (TcpLink link : members) {
            if (link != null) {
                link.resetConnections(nowNs);
            }
        }
    }

    /**
     * Resets those connections to members with higher slots that a fault hits (a fault for tests). Returns whether
     * there was any connection to reset.
     */
    boolean resetConnections(long nowNs, int ownSlot, LinkFault fault) {
        boolean isAny = false;
        for (TcpLink link : members) {
            if (link != null
                    && link.peer().slot() > ownSlot
                    && fault.hits(ownSlot, link.peer().slot())) {
                isAny |= !link.isClosed();
                link.resetConnections(nowNs);
            }
        }
        return isAny;
    }

    /**
     * Lets existing connections swallow what the blackholes that are on now swallow (a fault for tests). Returns
     * whether any of them swallows what a member sends to this rank.
     */
    boolean severConnections(LinkFaults faults) {
        boolean isAnyDeaf = false;
        for (TcpLink link : members) {
            if (link != null) {
                boolean isDeaf = faults.isDeafTo(link.peer().slot());
                isAnyDeaf |= isDeaf;
                link.severConnections(isDeaf, faults.isUnheardBy(link.peer().slot()));
            }
        }
        return isAnyDeaf;
    }

    private void forgetClosed() {
        for (int i = former.size() - 1; i >= 0; i--) {
            if (former.get(i).isClosed()) {
                former.remove(i);
            }
        }
    }

    /** The members that may wait for frames or for a goodbye of this rank, in the order of their slots. */
    List<ProcessId> connected() {
        List<ProcessId> peers = new ArrayList<>();
        for (TcpLink link : members) {
            if (link != null && link.session().isOpen()) {
                peers.add(link.peer());
            }
        }
        return peers;
    }

    // ---- the end of this rank

    /**
     * Starts to end the links to all members. Connections of processes that were not admitted are closed, and new ones
     * are not answered.
     */
    void leave(long nowNs) {
        isLeaving = true;
        dropUninvited();
        for (TcpLink link : members) {
            if (link != null) {
                link.session().leave(nowNs);
                link.settle(nowNs);
            }
        }
    }

    /**
     * Whether this rank leaves and has nothing more to send to any member, so that no member has to call it any more.
     */
    boolean areDone() {
        boolean areDone = isLeaving;
        for (TcpLink link : members) {
            areDone &= link == null || link.session().isDone();
        }
        return areDone;
    }

    /** Whether this rank leaves and all links have ended. */
    boolean haveLeft() {
        forgetClosed();
        boolean haveLeft = isLeaving && former.isEmpty();
        for (TcpLink link : members) {
            haveLeft &= link == null || link.session().hasLeft();
        }
        return haveLeft;
    }

    /** Closes all connections of all links at once. */
    void close() {
        for (TcpLink link : members) {
            if (link != null) {
                link.closeConnections();
            }
        }
        dropUninvited();
        for (TcpLink link : former) {
            link.closeConnections();
        }
    }

    private void dropUninvited() {
        for (TcpLink link : uninvited.values()) {
            link.closeConnections();
        }
        uninvited.clear();
    }
}
