package org.ulfmj.agree.message;

import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/** Contacts by slot, as bytes: their number, then each contact, in the order of the slots. */
public final class ContactList {
    private ContactList() {}

    public static void write(SortedMap<Integer, Contact> contacts, WireWriter out) {
        out.putInt(contacts.size());
        for (Contact contact : contacts.values()) {
            contact.writeTo(out);
        }
    }

    public static SortedMap<Integer, Contact> read(WireReader in) {
        int count = in.getInt();
        in.requireCount(count, Contact.LEAST_BYTES, "contacts");
        SortedMap<Integer, Contact> contacts = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            Contact contact = Contact.readFrom(in);
            int slot = contact.process().slot();
            if (!contacts.isEmpty() && slot <= contacts.lastKey()) {
                throw new WireFormatException("contacts must ascend, got slot " + slot);
            }
            contacts.put(slot, contact);
        }
        return contacts;
    }
}
