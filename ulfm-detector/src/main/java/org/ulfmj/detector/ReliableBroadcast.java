package org.ulfmj.detector;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/**
 * Spreads events (such as revocations and obituaries) so that if one live member holds an event, all live members hold
 * it in the end, after any number of crashes.
 *
 * <p>Events are <em>sticky</em>: state, not messages. A process that gets one for the first time sends it to all its
 * neighbours on the {@link BinomialGraph} over the event's members minus those that failed or departed as far as it
 * knows; and when a death gives it a new neighbour, it sends that neighbour every event it holds and has not sent there
 * yet. Once all members know all deaths they all use one connected graph, and each holder has sent to all its
 * neighbours. Without the replay a few crashes could cut a member off for ever. A process that takes the slot of a dead
 * member is no member of an event with an earlier {@link Event#epoch}: the graph passes over it as over the dead.
 *
 * <p>While a process holds an event, it sends the event to no process twice. The caller applies an event before or
 * after {@link #spread}, in the same step; the obituary of x for x itself is sent by the caller
 * ({@link DetectorMessage.Obituary}). Not thread-safe; a held event costs memory for its neighbours only.
 *
 * @param <E> the events, which are messages themselves
 */
public final class ReliableBroadcast<E extends ReliableBroadcast.Event> {
    /** An event that every member must learn of once. */
    public interface Event {
        /** Returns the identity of the event: equal for two messages about the same event. */
        Object key();

        /** Returns the members that the event spreads over, given the current membership. */
        SlotRuns membersIn(Membership current);

        /** Returns the epoch of the event: processes that became members later do not take part. */
        default long epoch() {
            return Long.MAX_VALUE;
        }

        /**
         * Returns the slot of the process that began the event: the root of the tree whose children are served first.
         * The process need not be a live member.
         */
        int originSlot();
    }

    /** An event, and the slots that this process has sent it to. */
    private static final class Held<E> {
        final E event;
        SlotSet sentTo = SlotSet.EMPTY;

        Held(E event) {
            this.event = event;
        }
    }

    private final ProcessId me;
    private final FailureSet failures;
    private final Map<Object, Held<E>> held = new LinkedHashMap<>();
    private Membership membership;
    /**
     * Slot to the epoch in which its present process became a member. A slot that is absent has had its process since
     * the first epoch of this rank.
     */
    private final SortedMap<Integer, Long> since = new TreeMap<>();

    /**
     * The member list of the event that was last looked at. The other cached fields belong to this list: its live
     * members, and the neighbours of this rank among them. All obituaries of one membership share one list.
     */
    private SlotRuns cachedMembers;

    private LiveMembers cachedLive;
    private SlotSet cachedNeighbours;
    /** The neighbours in the order of sending for {@link #cachedOrigin}; null until the order is asked for. */
    private int[] cachedOrder;

    private int cachedOrigin;
    /** The members of {@link #cachedMembers} that were gone when the cache was filled. */
    private SlotSet cachedGone;
    /** Whether {@link #cachedGone} was compared with the failure set since the last new event, death or epoch. */
    private boolean cachedHolds;

    public ReliableBroadcast(ProcessId me, Membership membership, FailureSet failures) {
        this.me = me;
        this.membership = membership;
        this.failures = failures;
    }

    /**
     * Takes an event that this process began or has just received, and sends it to all neighbours, children of the tree
     * first.
     *
     * @return true the first time, false for an event that is held already
     */
    public boolean spread(E event, Outbox<ProcessId, ? super E> out) {
        if (held.containsKey(event.key())) {
            return false;
        }
        Held<E> entry = new Held<>(event);
        held.put(event.key(), entry);
        cachedHolds = false;
        sendToNewNeighbours(entry, out);
        return true;
    }

    /**
     * A process failed or departed, and the failure set knows it. Each process that thereby becomes a neighbour for a
     * held event gets the event, if it was not sent to it yet.
     */
    public void onGone(ProcessId gone, Outbox<ProcessId, ? super E> out) {
        replay(out);
    }

    /**
     * Enters another membership epoch. Processes that thereby become neighbours get the held events of which they are
     * members.
     */
    public void enter(Membership next, Outbox<ProcessId, ? super E> out) {
        for (int slot : next.slots().toArray()) {
            if (!membership.slots().contains(slot) || next.incarnation(slot) != membership.incarnation(slot)) {
                since.put(slot, next.epoch());
            }
        }
        for (Held<E> entry : held.values()) {
            for (int slot : entry.sentTo.toArray()) {
                if (next.incarnation(slot) != membership.incarnation(slot)) {
                    entry.sentTo = entry.sentTo.without(slot);
                }
            }
        }
        membership = next;
        replay(out);
    }

    /** Whether the event is held here. */
    public boolean holds(Object key) {
        return held.containsKey(key);
    }

    /** Drops an event that no process can need any more. A copy that comes later would count as a new event. */
    public void forget(Object key) {
        held.remove(key);
    }

    private void replay(Outbox<ProcessId, ? super E> out) {
        cachedHolds = false;
        for (Held<E> entry : held.values()) {
            sendToNewNeighbours(entry, out);
        }
    }

    private void sendToNewNeighbours(Held<E> entry, Outbox<ProcessId, ? super E> out) {
        lookAt(members(entry.event));
        SlotSet fresh = cachedNeighbours.minus(entry.sentTo);
        if (fresh.isEmpty()) {
            return;
        }
        // The order of sending is computed only when an event is sent for the first time. For the few neighbours that
        // come later, it does not matter.
        int[] slots = entry.sentTo.isEmpty() ? childrenFirst(entry.event.originSlot()) : fresh.toArray();
        entry.sentTo = entry.sentTo.union(fresh);
        for (int slot : slots) {
            out.send(membership.process(slot), entry.event);
        }
    }

    /** Returns the members of the event, without processes that came after its epoch. */
    private SlotRuns members(E event) {
        SlotRuns members = event.membersIn(membership);
        if (since.isEmpty() || event.epoch() >= membership.epoch()) {
            return members;
        }
        SlotSet later = SlotSet.EMPTY;
        for (SortedMap.Entry<Integer, Long> came : since.entrySet()) {
            if (came.getValue() > event.epoch() && members.contains(came.getKey())) {
                later = later.with(came.getKey());
            }
        }
        return later.isEmpty() ? members : members.without(later);
    }

    private void lookAt(SlotRuns members) {
        boolean isKnown = members.equals(cachedMembers);
        if (isKnown && cachedHolds) {
            return;
        }
        cachedHolds = true;
        SlotSet gone = failures.goneAmong(members, membership);
        if (isKnown && gone.equals(cachedGone)) {
            return;
        }
        cachedMembers = members;
        cachedGone = gone;
        cachedLive = LiveMembers.of(members, gone);
        cachedOrder = null;
        cachedNeighbours = SlotSet.EMPTY;
        if (cachedLive.size() > 0 && cachedLive.contains(me.slot())) {
            cachedNeighbours =
                    SlotSet.of(slots(BinomialGraph.neighbours(cachedLive.place(me.slot()), cachedLive.size())));
        }
    }

    /**
     * Returns the neighbours in the order of sending. The array is the cache itself, and a caller must not change it.
     */
    private int[] childrenFirst(int originSlot) {
        if (cachedOrder == null || cachedOrigin != originSlot) {
            int here = cachedLive.place(me.slot());
            int origin = cachedLive.place(originSlot);
            cachedOrder = slots(BinomialTree.childrenFirst(origin < 0 ? here : origin, here, cachedLive.size()));
            cachedOrigin = originSlot;
        }
        return cachedOrder;
    }

    private int[] slots(int[] places) {
        for (int i = 0; i < places.length; i++) {
            places[i] = cachedLive.slot(places[i]);
        }
        return places;
    }
}
