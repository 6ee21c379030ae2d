package org.ulfmj.runtime.recovery;

import java.util.SortedMap;
import org.ulfmj.protocol.SlotSet;

/**
 * The values (notes) that members have told each other in an agreement. They are the same at all members that are not
 * marked failed later.
 *
 * @param isOfThisKindOnly whether all members that took part had made the same call; if not, the notes are no result
 * @param failed slots of the members that are marked failed
 * @param notes by slot of the member that gave it
 */
public record AgreedNotes(boolean isOfThisKindOnly, SlotSet failed, SortedMap<Integer, byte[]> notes) {}
