package org.ulfmj.rabit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import mpi.MPI;
import mpi.StoreException;
import org.junit.jupiter.api.Test;
import org.ulfmj.runtime.store.JobStore;
import org.ulfmj.testkit.Faults;
import org.ulfmj.testkit.LocalWorld;

/**
 * Tests {@code FirstCommit}: a rank can tell that the job has committed nothing, until a rank begins the first commit,
 * also where the program has filled the store. Without a launcher the rank cannot tell.
 */
class FirstCommitTest {
    private static JobStore jobStore() {
        return MpiRank.get().binding().runtime().store();
    }

    @Test
    void shouldTellThatNothingWasCommittedUntilARankBeginsTo() {
        LocalWorld.of(2)
                .run(() -> {
                    MPI.Init(new String[0]);
                    FirstCommit mine = new FirstCommit(jobStore());
                    assertThat(mine.isStillToCome()).isTrue();
                    MPI.COMM_WORLD.barrier();
                    if (MPI.COMM_WORLD.getRank() == 0) {
                        mine.begin();
                        mine.begin();
                    }
                    MPI.COMM_WORLD.barrier();
                    assertThat(mine.isStillToCome()).isFalse();
                    MPI.Finalize();
                })
                .requireSurvivorsSucceeded();
    }

    @Test
    void shouldBeNotedThoughAProgramHasFilledTheStoreAndWouldDeleteIt() {
        LocalWorld.of(1)
                .run(() -> {
                    MPI.Init(new String[0]);
                    byte[] value = new byte[1 << 20];
                    for (int i = 0; i < 63; i++) {
                        MPI.store().set("full" + i, value);
                    }
                    MPI.store().set("rest", new byte[(1 << 20) - 63 * 8]);
                    assertThatThrownBy(() -> MPI.store().set("more", value)).hasMessageContaining("at most 67108864");
                    FirstCommit mine = new FirstCommit(jobStore());
                    mine.begin();
                    assertThatThrownBy(() -> MPI.store().delete("ulfm.rabit.committed"))
                            .isInstanceOf(StoreException.class)
                            .hasMessageContaining("is the library's");
                    assertThat(mine.isStillToCome()).isFalse();
                    MPI.Finalize();
                })
                .requireSurvivorsSucceeded();
    }

    @Test
    void shouldNotBeCertainWithoutALauncherAndGoOnAllTheSame() {
        LocalWorld.of(1)
                .run(() -> {
                    MPI.Init(new String[0]);
                    Faults.endLauncher();
                    try {
                        MPI.store().waitFor("never", 60, TimeUnit.SECONDS);
                    } catch (StoreException lost) {
                        assertThat(lost.isOutcomeUnknown()).isTrue();
                    }
                    FirstCommit mine = new FirstCommit(jobStore());
                    assertThat(mine.isStillToCome()).isFalse();
                    mine.begin();
                    MPI.Finalize();
                })
                .requireSurvivorsSucceeded();
    }
}
