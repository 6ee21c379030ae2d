package org.ulfmj.rabit;

import java.nio.ByteBuffer;
import org.ulfmj.rabit.engine.CommitNote;
import org.ulfmj.rabit.engine.Mismatch;
import org.ulfmj.runtime.Fault;

/** What a rank does with all others after a failure, and before what must not be lost by one. */
final class Recovery {
    private final Session session;
    private Repartition repartition;

    Recovery(Session session) {
        this.session = session;
    }

    void onShrink(Repartition newRepartition) {
        repartition = newRepartition;
    }

    void join() {}

    boolean canHaveOthers() {
        return false;
    }

    void recover(Fault fault, String call) {
        throw new RabitException("Rabit." + call + ": " + fault.getMessage(), fault);
    }

    boolean commit(CommitNote.Intent intent, ByteBuffer local) {
        if (session.size() == 1) {
            return true;
        }
        CommitNote note = new CommitNote(intent, session.replica().position(), true, local != null, CallSite.here());
        Epoch.Agreed agreed = session.epoch().agreeToCommit(note.toBytes());
        return CommitNote.judge(
                        agreed.isOfThisKindOnly(),
                        !agreed.failed().isEmpty(),
                        agreed.notes(),
                        session.epoch().members())
                == CommitNote.Verdict.COMMITTED;
    }

    RabitException desync(Mismatch wrong, String call) {
        return new DesyncException("Rabit." + call + ": " + wrong.getMessage(), wrong);
    }
}
