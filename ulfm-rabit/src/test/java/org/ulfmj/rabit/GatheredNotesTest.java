package org.ulfmj.rabit;

import static org.assertj.core.api.Assertions.assertThat;

import mpi.MPI;
import org.junit.jupiter.api.Test;
import org.ulfmj.rabit.engine.CommitNote;
import org.ulfmj.rabit.engine.Position;
import org.ulfmj.runtime.recovery.AgreedNotes;
import org.ulfmj.testkit.LocalWorld;

/** Tests how ranks without fault tolerance exchange their notes in a commit. */
class GatheredNotesTest {
    @Test
    void shouldExchangeTheLongestNotesWhole() {
        LocalWorld.of(2)
                .settings(settings -> settings.withFaultTolerance(false))
                .run(() -> {
                    MPI.Init(new String[0]);
                    RabitEpoch epoch =
                            new RabitEpoch(MpiRank.get().binding().runtime().world(), 0);
                    byte[] note = new CommitNote(
                                    CommitNote.Intent.CHECKPOINT,
                                    Position.ofVersion(3),
                                    false,
                                    CommitNote.NOT_SAVED,
                                    0,
                                    "a".repeat(1000))
                            .toBytes(epoch.mostNoteBytes());
                    AgreedNotes agreed = epoch.agreeToCommit(note);
                    assertThat(agreed.notes().values())
                            .extracting(each -> each.length)
                            .containsExactly(note.length, note.length);
                    assertThat(CommitNote.judge(true, false, agreed.notes(), epoch.members()))
                            .isEqualTo(CommitNote.Verdict.COMMITTED);
                    MPI.Finalize();
                })
                .requireSurvivorsSucceeded();
    }
}
