package org.ulfmj.rendezvous.gather;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.ulfmj.rendezvous.gather.Gathering.Phase;
import org.ulfmj.rendezvous.gather.Place.Status;

/** A {@link Gathering} as text: one line for the whole, and one line per process. */
public final class GatheringText {
    private static final String HEAD = "gathering-1";

    private GatheringText() {}

    public static String write(Gathering state) {
        Terms terms = state.terms();
        StringBuilder text = new StringBuilder(String.join(
                " ",
                HEAD,
                terms.min() + " " + terms.max() + " " + terms.leaseMs(),
                Boolean.toString(state.isClosed()),
                state.phase().name(),
                state.round() + " " + state.call()));
        for (Place place : state.places()) {
            text.append('\n').append(Long.toHexString(place.nonce())).append(' ');
            text.append(place.status()).append(' ').append(place.renewals());
        }
        return text.toString();
    }

    /** @throws IllegalArgumentException if the text does not have the form in which {@code write} makes it */
    public static Gathering read(String text) {
        String[] lines = text.split("\n", -1);
        String[] head = lines[0].split(" ", -1);
        if (head.length != 8 || !head[0].equals(HEAD)) {
            throw new IllegalArgumentException("it does not begin with '" + HEAD + "' and seven words");
        }
        List<Place> places = new ArrayList<>();
        Set<Long> nonces = new TreeSet<>();
        for (int i = 1; i < lines.length; i++) {
            String[] words = lines[i].split(" ", -1);
            if (words.length != 3) {
                throw new IllegalArgumentException("line " + (i + 1) + " has " + words.length + " words, not 3");
            }
            long nonce = Long.parseUnsignedLong(words[0], 16);
            if (!nonces.add(nonce)) {
                throw new IllegalArgumentException("line " + (i + 1) + " names a process for the second time");
            }
            places.add(new Place(nonce, Status.valueOf(words[1]), Integer.parseInt(words[2])));
        }
        Terms terms = new Terms(Integer.parseInt(head[1]), Integer.parseInt(head[2]), Long.parseLong(head[3]));
        return new Gathering(
                terms,
                head[4].equals("true"),
                Phase.valueOf(head[5]),
                Long.parseLong(head[6]),
                Long.parseLong(head[7]),
                places);
    }
}
