package org.ulfmj.runtime.side;

import java.util.List;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.flight.AgreementEvent;
import org.ulfmj.runtime.flight.FailureEvent;
import org.ulfmj.runtime.flight.RevokeEvent;
import org.ulfmj.runtime.flight.WaitEvent;
import org.ulfmj.runtime.progress.Completion;
import org.ulfmj.runtime.waits.AwaitedRank;
import org.ulfmj.runtime.waits.NamedWait;
import org.ulfmj.runtime.waits.Need;
import org.ulfmj.runtime.waits.Wait;
import org.ulfmj.runtime.waits.WaitNotes;
import org.ulfmj.runtime.waits.WaitScope;

/**
 * Records what this rank waits for, in a flight recording (JFR), and the failures, revocations and agreements that it
 * learns of, there and on stderr, each if the user wants it. If {@code ulfm.jfr} is off, no event is made and no class
 * of JFR is loaded. Under the engine lock, but for {@link #awaitLines}.
 */
public final class FlightRecord {
    private final boolean isOn;
    /** Null where nothing is told on stderr. */
    private final ToldEvents told;

    /** @param verbosity how much is also written to stderr ({@code ulfm.ft.verbose}) */
    public FlightRecord(boolean isOn, ProcessId rank, int verbosity) {
        this.isOn = isOn;
        this.told = verbosity == 0 ? null : new ToldEvents(rank, verbosity);
    }

    /**
     * Notes that a call goes on waiting after its first polls. Returns the event of its wait, to be committed when the
     * wait has ended; null if waits are not recorded.
     */
    public WaitEvent beginWait(Completion completion) {
        if (!isOn) {
            return null;
        }
        WaitEvent event = new WaitEvent();
        if (!event.isEnabled()) {
            return null;
        }
        WaitNotes notes = new WaitNotes();
        if (completion instanceof NamedWait named) {
            named.explain(notes);
        } else {
            notes.other(completion.toString());
        }
        Wait wait = notes.toWait("", 0, "", "");
        if (!wait.needs().isEmpty()) {
            Need need = wait.needs().get(0);
            event.operation = need.action();
            event.communicator = need.communicator();
            event.ranks = ranks(need.peers());
            event.detail = need.detail();
            event.moreNeeds = wait.needs().size() - 1 + wait.moreNeeds();
        }
        event.begin();
        return event;
    }

    /**
     * Waits a moment, when the process ends, until the lines for stderr are written. Called without the engine lock.
     */
    public void awaitLines() {
        if (told != null) {
            told.awaitLines();
        }
    }

    public void failed(ProcessId process, Evidence evidence) {
        if (told != null) {
            told.failed(process, evidence);
        }
        if (!isOn) {
            return;
        }
        FailureEvent event = new FailureEvent();
        if (event.isEnabled()) {
            event.process = process.toString();
            event.declaredBy = evidence.declaredBy().toString();
            event.reason = evidence.reason();
            event.commit();
        }
    }

    public void revoked(WaitScope communicator) {
        if (told != null) {
            told.revoked(communicator);
        }
        if (!isOn) {
            return;
        }
        RevokeEvent event = new RevokeEvent();
        if (event.isEnabled()) {
            event.communicator = communicator.label();
            event.commit();
        }
    }

    /**
     * Notes that this rank begins a call that members make together. Returns the event of that call, to be given to
     * {@link #decided}; null if it is not recorded.
     */
    public AgreementEvent beginAgreement(WaitScope communicator, Kind kind) {
        if (told != null) {
            told.begins(communicator, kind);
        }
        if (!isOn) {
            return null;
        }
        AgreementEvent event = new AgreementEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.call = kind.callName();
        event.communicator = communicator.label();
        event.begin();
        return event;
    }

    /** @param event may be null */
    public void decided(AgreementEvent event, WaitScope communicator, Kind kind, Decision decision) {
        if (told != null) {
            told.decided(communicator, kind, decision);
        }
        if (event != null) {
            event.failed = decision.failed().toArray().length;
            event.commit();
        }
    }

    private static String ranks(List<AwaitedRank> peers) {
        StringBuilder text = new StringBuilder();
        for (AwaitedRank peer : peers) {
            text.append(text.length() == 0 ? "" : ", ").append(peer.rank());
        }
        return text.toString();
    }
}
