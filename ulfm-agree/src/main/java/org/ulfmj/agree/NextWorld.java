package org.ulfmj.agree;

import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.agree.message.Ancestry;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.Joiner;
import org.ulfmj.agree.message.Offer;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;

/**
 * What a decided round of offers makes of a world (P2, P3, G4). It follows from the members of the world, its ancestry
 * and the decision alone, so it is the same at all members that have the decision, whatever each of them has heard.
 *
 * <p>A member that failed is replaced if a process is offered for its slot; otherwise the slot is left out. Joiners get
 * slots of their own, in the order of {@link Joiner}, as long as there is room. A joiner whose nonce the world or one
 * before it had gets none.
 *
 * @param missing slots of failed members that no offered process fills
 * @param members of the next world, by slot
 * @param newcomers the slots of the next world whose processes are new
 * @param ancestry of the next world
 */
record NextWorld(SlotSet missing, SortedMap<Integer, Contact> members, SlotSet newcomers, Ancestry ancestry) {

    /**
     * @param before the members of the world by slot
     * @param ancestry of the world
     * @param failed the slots that the decision lists as failed
     * @param offer the decided offer
     * @param most the most members that joiners may bring the world to; replace() decides no joiners
     */
    static NextWorld of(SortedMap<Integer, Contact> before, Ancestry ancestry, SlotSet failed, Offer offer, int most) {
        SlotSet missing = SlotSet.EMPTY;
        SlotSet newcomers = SlotSet.EMPTY;
        SortedMap<Integer, Contact> members = new TreeMap<>();
        for (Contact member : before.values()) {
            int slot = member.process().slot();
            Contact newcomer = offer.replacement(slot, member.process().incarnation());
            if (!failed.contains(slot)) {
                members.put(slot, member);
            } else if (newcomer != null) {
                members.put(slot, newcomer);
                newcomers = newcomers.with(slot);
            } else {
                missing = missing.with(slot);
            }
        }
        int next = ancestry.next();
        for (Joiner joiner : joiners(before, ancestry, offer)) {
            if (members.size() >= most) {
                break; // G6: it stays waiting, and is told nothing
            }
            members.put(next, new Contact(ProcessId.of(next), joiner.nonce(), joiner.address()));
            newcomers = newcomers.with(next);
            next++;
        }
        return new NextWorld(missing, members, newcomers, ancestry.then(before, members, next));
    }

    private static SortedSet<Joiner> joiners(SortedMap<Integer, Contact> before, Ancestry ancestry, Offer offer) {
        if (offer.joins().isEmpty()) {
            return new TreeSet<>();
        }
        SortedSet<Joiner> joiners = new TreeSet<>(offer.joins().values());
        joiners.removeIf(joiner -> ancestry.past().contains(joiner.nonce()));
        for (Contact member : before.values()) {
            joiners.removeIf(joiner -> joiner.nonce() == member.nonce());
        }
        return joiners;
    }

    /** Whether other processes are members than before (G5). */
    boolean differsFrom(SortedMap<Integer, Contact> before) {
        return !members.equals(before);
    }
}
