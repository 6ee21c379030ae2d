package org.ulfmj.transport.tcp;

import java.util.ArrayList;
import java.util.List;

/**
 * The links that the rank waits for. Each is read directly, without the selector, until {@link #POLLS} polls in a row
 * have brought no frame from it, or {@link #MAX_LINKS} later ones are waited for.
 */
final class AttendedLinks {
    /** The number of polls in a row without a frame after which a link is not read directly any more. */
    private static final int POLLS = 4_096;
    /** The largest number of links that are read directly at one time: each costs a system call per poll. */
    private static final int MAX_LINKS = 16;

    private final List<TcpLink> links = new ArrayList<>(MAX_LINKS);

    void attend(TcpLink link) {
        link.attend(POLLS);
        if (!links.contains(link)) {
            if (links.size() >= MAX_LINKS) {
                links.remove(0);
            }
            links.add(link);
        }
    }

    boolean isEmpty() {
        return links.isEmpty();
    }

    void read(TcpFabric fabric, long nowNs) {
        for (int i = links.size() - 1; i >= 0; i--) {
            TcpLink link = links.get(i);
            int before = fabric.delivered();
            link.read(nowNs);
            if (!link.isAttended(fabric.delivered() != before, POLLS)) {
                links.remove(link);
            }
        }
    }
}
