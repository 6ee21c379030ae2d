package org.ulfmj.agree.change;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.agree.message.Ancestry;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.ControlCodec;
import org.ulfmj.agree.message.ControlMessage.Welcome;
import org.ulfmj.agree.message.Joiner;
import org.ulfmj.agree.message.Offer;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;

/**
 * What a decided round of offers makes of a world (P2, P3, G4). It follows from the members of the world, its ancestry
 * and the decision alone, so it is the same at all members that have the decision, no matter what each of them has
 * heard.
 *
 * <p>A member that failed is replaced if a process is offered for its slot; otherwise the slot is left out. Joiners get
 * new slots, in the order of {@link Joiner}, as long as there is room in the world, and in the welcome that names all
 * its members. A joiner gets none if a member of the world before has its nonce, or a former member that grow() had let
 * in.
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
     */
    static NextWorld of(SortedMap<Integer, Contact> before, Ancestry ancestry, SlotSet failed, Offer offer) {
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
        int lengthBytes = Welcome.lengthBytes(members, ancestry.then(before, members, next), newcomers);
        for (Joiner joiner : joiners(before, ancestry, offer)) {
            Contact joined = new Contact(ProcessId.of(next), joiner.nonce(), joiner.address());
            lengthBytes += Welcome.lengthBytes(joined);
            if (members.size() >= offer.joins().most() || lengthBytes > ControlCodec.MAX_BYTES) {
                break; // G6: it stays waiting, and is told nothing
            }
            members.put(next, joined);
            newcomers = newcomers.with(next);
            next++;
        }
        return new NextWorld(missing, members, newcomers, ancestry.then(before, members, next));
    }

    /** The joiners that may be let in, in order. Of two with one nonce the first counts. */
    private static List<Joiner> joiners(SortedMap<Integer, Contact> before, Ancestry ancestry, Offer offer) {
        List<Joiner> joiners = new ArrayList<>();
        if (!offer.hasJoins()) {
            return joiners;
        }
        Set<Long> known = new TreeSet<>(ancestry.past());
        before.values().forEach(member -> known.add(member.nonce()));
        for (Joiner joiner : offer.joins().first()) {
            if (known.add(joiner.nonce())) {
                joiners.add(joiner);
            }
        }
        return joiners;
    }

    /** Whether other processes are members than before (G5). */
    boolean differsFrom(SortedMap<Integer, Contact> before) {
        return !members.equals(before);
    }
}
