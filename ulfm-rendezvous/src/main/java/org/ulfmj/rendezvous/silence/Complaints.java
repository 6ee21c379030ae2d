package org.ulfmj.rendezvous.silence;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.ulfmj.protocol.ProcessId;

/**
 * All complaints that count at present, by complainer and then by the process that is complained of. J5: a complaint by
 * or about a process that has ended is void.
 */
final class Complaints {
    private final SortedMap<ProcessId, SortedMap<ProcessId, Complaint>> all = new TreeMap<>();

    private boolean hasConfirmed;
    private long confirmedNs;

    /** Adds a complaint. Returns false if the complainer had already complained of that process. */
    boolean add(Subject by, Subject about) {
        // If there is no complaint yet, this one is the first of a new case, of which no complaint is confirmed.
        hasConfirmed &= !all.isEmpty();
        Complaint before =
                all.computeIfAbsent(by.id, id -> new TreeMap<>()).putIfAbsent(about.id, new Complaint(by, about));
        if (before != null) {
            before.isStale = false;
        }
        return before == null;
    }

    /**
     * Marks all complaints of one complainer as stale: it is unknown whether the complainer, which has a new
     * connection, still makes them. Returns whether it has made any.
     */
    boolean doubtThoseBy(ProcessId complainer) {
        SortedMap<ProcessId, Complaint> made = all.get(complainer);
        if (made != null) {
            made.values().forEach(Complaint::doubt);
        }
        return made != null;
    }

    /** Drops the complaints that a complainer has not repeated on its new connection. */
    void dropStaleBy(ProcessId complainer) {
        SortedMap<ProcessId, Complaint> made = all.get(complainer);
        if (made != null && made.values().removeIf(complaint -> complaint.isStale) && made.isEmpty()) {
            all.remove(complainer);
        }
    }

    void withdraw(ProcessId by, ProcessId about) {
        SortedMap<ProcessId, Complaint> others = all.get(by);
        if (others != null && others.remove(about) != null && others.isEmpty()) {
            all.remove(by);
        }
    }

    private void dropBy(ProcessId complainer) {
        all.remove(complainer);
    }

    void dropByAndAbout(ProcessId process) {
        dropBy(process);
        for (ProcessId complainer : new ArrayList<>(all.keySet())) {
            withdraw(complainer, process);
        }
    }

    /** The complaint of one process about another; null if there is none. */
    Complaint of(ProcessId by, ProcessId about) {
        SortedMap<ProcessId, Complaint> others = all.get(by);
        return others == null ? null : others.get(about);
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /**
     * Marks a complaint as confirmed: the complainer still hears nothing of the process complained of, though that
     * process has answered the launcher.
     */
    void confirm(Complaint complaint, long atNs) {
        complaint.isConfirmed = true;
        complaint.isStale = false;
        if (!hasConfirmed) {
            hasConfirmed = true;
            confirmedNs = atNs;
        }
    }

    /**
     * Whether a complaint of the present case was confirmed. A case lasts until a process complains when no other does,
     * or until {@link #clear} or {@link #reset}.
     */
    boolean hasConfirmed() {
        return hasConfirmed;
    }

    /** When the first complaint of the present case was confirmed. */
    long confirmedNs() {
        return confirmedNs;
    }

    /** The complaints of members about members. */
    List<Complaint> valid() {
        return select(complaint -> complaint.by.isJudged() && complaint.about.isJudged());
    }

    List<Complaint> about(Subject process) {
        return select(complaint -> complaint.about == process && complaint.by.isJudged());
    }

    /**
     * The processes of which another member complains, and the complainers that were asked whether they still hear
     * nothing and have not confirmed it yet.
     */
    Set<Subject> concerned() {
        if (all.isEmpty()) {
            return Collections.emptySet();
        }
        Set<Subject> concerned = new LinkedHashSet<>();
        for (Complaint complaint : valid()) {
            concerned.add(complaint.about);
            if (complaint.question != 0 && !complaint.isConfirmed) {
                concerned.add(complaint.by);
            }
        }
        return concerned;
    }

    private List<Complaint> select(Predicate<Complaint> isWanted) {
        if (all.isEmpty()) {
            return List.of();
        }
        List<Complaint> selected = new ArrayList<>();
        for (SortedMap<ProcessId, Complaint> ofOne : all.values()) {
            ofOne.values().stream().filter(isWanted).forEach(selected::add);
        }
        return selected;
    }

    void clear() {
        all.clear();
        hasConfirmed = false;
    }

    /** Makes all complaints count as unasked and unconfirmed, as if they had just come: another case begins. */
    void reset() {
        hasConfirmed = false;
        all.values().stream().map(SortedMap::values).flatMap(Collection::stream).forEach(Complaint::reset);
    }
}
