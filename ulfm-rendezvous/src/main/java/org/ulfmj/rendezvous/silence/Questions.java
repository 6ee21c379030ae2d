package org.ulfmj.rendezvous.silence;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import org.ulfmj.protocol.ProcessId;

/**
 * J2: the questions of the judge and their times. Each member is asked whether it is there; a complainer is asked
 * whether it still hears nothing of the process it complains of. The answers go to the {@link SilenceJudge}. Times are
 * those of the {@link JudgeClock}.
 */
final class Questions {
    private final long timeoutNs;
    private final Patience patience;
    private final SortedMap<ProcessId, Subject> subjects;
    private final Complaints complaints;
    private final SilenceEffects effects;
    private long lastQuestion;

    /**
     * @param subjects the processes that are judged, a map that the judge owns and changes
     * @param complaints the complaints about these processes, also owned by the judge
     */
    Questions(
            long timeoutNs,
            Patience patience,
            SortedMap<ProcessId, Subject> subjects,
            Complaints complaints,
            SilenceEffects effects) {
        this.timeoutNs = timeoutNs;
        this.patience = patience;
        this.subjects = subjects;
        this.complaints = complaints;
        this.effects = effects;
    }

    /** Asks all that is due. */
    void ask(long atNs) {
        askMembers(atNs);
        askAccused(atNs);
        askComplainers(atNs);
    }

    /** Since when the process counts as silent. */
    long silentSinceNs(Subject subject) {
        return silentSinceNs(subject, complaints.concerned());
    }

    /**
     * Asks each member that owes no answer, once per timeout or sooner. Asks a member that owes one and has been silent
     * for its patience, by default a timeout, a last time.
     */
    private void askMembers(long atNs) {
        Set<Subject> concerned = complaints.concerned();
        for (Subject subject : subjects.values()) {
            if (!subject.isJudged()) {
                continue;
            }
            // On a host that has been silent for half a timeout, a process is asked earlier, after half a timeout:
            // perhaps the host was silent only because its processes had nothing to send.
            long apartNs = subject.host.isSilentFor(timeoutNs / 2, atNs) ? timeoutNs / 2 : timeoutNs;
            boolean isDue = atNs - subject.askedNs >= apartNs || patience.hasToBegin(subject);
            if (!subject.isOpen && isDue) {
                ask(subject, atNs);
            } else if (subject.isOpen
                    && !subject.isLast
                    && atNs - silentSinceNs(subject, concerned) >= patience.of(subject)) {
                subject.isLast = true;
                subject.isWatched = false;
                subject.askedNs = atNs;
                subject.dueNs = atNs + timeoutNs / 2;
                effects.waitedForCoreNs(subject.id);
                ask(subject, atNs);
            }
        }
    }

    /**
     * Since when the process counts as silent: since its last message, if other members complain of it or it owes a
     * confirmation of a complaint; else since it owes an answer and has sent nothing.
     */
    private static long silentSinceNs(Subject subject, Set<Subject> concerned) {
        return concerned.contains(subject) ? subject.heardNs : subject.owesSinceNs;
    }

    /**
     * Asks a process whether it is there. The question names the members that complain of the process, so that it sends
     * each of them a heartbeat before it answers.
     */
    void ask(Subject subject, long atNs) {
        List<ProcessId> complainers = new ArrayList<>();
        for (Complaint complaint : complaints.about(subject)) {
            complainers.add(complaint.by.id);
            subject.hasAnswered &= complaint.isTaken;
            complaint.isTaken = true;
        }
        if (!subject.isOpen) {
            subject.isOpen = true;
            subject.owesSinceNs = atNs;
            subject.askedNs = atNs;
        }
        subject.question = ++lastQuestion;
        effects.ask(subject.id, subject.question, complainers);
    }

    /** J2: asks each process about which a complaint came since its last question. */
    private void askAccused(long atNs) {
        for (Complaint complaint : complaints.valid()) {
            if (!complaint.isTaken) {
                ask(complaint.about, atNs);
            }
        }
    }

    /**
     * J2: asks complainers whether they still hear nothing, a while after the accused process has sent them heartbeats
     * and has answered.
     */
    private void askComplainers(long atNs) {
        for (Complaint complaint : complaints.valid()) {
            Subject accused = complaint.about;
            boolean isRipe = accused.hasAnswered && patience.isRipe(complaint, atNs);
            boolean isAsked = complaint.question != 0 && atNs - complaint.askedNs < timeoutNs / 2;
            if (complaint.isTaken && isRipe && !complaint.isConfirmed && !isAsked) {
                complaint.question = complaint.question == 0 ? ++lastQuestion : complaint.question;
                complaint.askedNs = atNs;
                if (!complaint.by.isOpen) {
                    ask(complaint.by, atNs);
                }
                effects.askComplainer(complaint.by.id, complaint.question, accused.id);
            }
        }
    }
}
