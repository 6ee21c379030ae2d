package org.ulfmj.transport.tcp;

import java.util.ArrayList;
import java.util.List;

/** The links a process waits for: each is read directly for a number of polls, begun anew by everything that comes. */
final class AttendedLinks {
    /** Fruitless polls after which a link is not read directly any more. */
    private static final int POLLS = 4_096;
    /** Links read directly at one time: each costs a system call a poll. */
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
