package org.ulfmj.rabit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import mpi.MPI;
import org.junit.jupiter.api.Test;
import org.ulfmj.testkit.sim.SimWorld;

/**
 * A model that cannot be given to a replacement: the two ranks that are left and the replacement end with the reason.
 */
class UnusableModelTest {
    private static final int RANKS = 3;
    private static final String IN_VERSION_2 = "kill:rank=1@v=2,seq=0";

    private static final Model NONE = new Model() {
        @Override
        public ByteBuffer save() {
            throw new IllegalStateException("cannot be serialized");
        }

        @Override
        public void load(ByteBuffer saved) {}
    };

    private interface Step {
        void checkpoint(int version);
    }

    /**
     * Runs a program in which one process is killed and replaced. Returns the {@link RabitException}s that ended the
     * program, one per process; each of these processes finalizes.
     */
    private static Queue<Throwable> thrownBy(Step step) {
        Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
        SimWorld.of(RANKS).seed(1).faults(IN_VERSION_2).restarting(3).run(() -> {
            try {
                Rabit.run(() -> {
                    for (int version = Rabit.loadCheckpoint(); version < 4; version++) {
                        Rabit.allreduce(new double[1], MPI.SUM);
                        step.checkpoint(version);
                    }
                });
            } catch (RabitException e) {
                thrown.add(e);
                MPI.Finalize();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        return thrown;
    }

    @Test
    void shouldTellAllThatALazyModelCannotBeSaved() {
        Queue<Throwable> thrown = thrownBy(version -> Rabit.lazyCheckpoint(NONE));

        assertThat(thrown).hasSize(RANKS).allSatisfy(each -> assertThat(each)
                .isExactlyInstanceOf(RabitException.class)
                .hasMessageContaining("the model that was given to lazyCheckpoint cannot be saved:"
                        + " java.lang.IllegalStateException: cannot be serialized"));
    }

    @Test
    void shouldTellAllThatTheProgramHasWrittenToWhatItSaved() {
        byte[] state = new byte[8];
        Model view = new Model() {
            @Override
            public ByteBuffer save() {
                return ByteBuffer.wrap(state);
            }

            @Override
            public void load(ByteBuffer saved) {}
        };
        Queue<Throwable> thrown = thrownBy(version -> {
            Rabit.checkpoint(view);
            state[version] = 7; // all ranks are threads here; each has saved this before any rank comes here
        });

        assertThat(thrown).hasSize(RANKS).allSatisfy(each -> assertThat(each)
                .isExactlyInstanceOf(RabitException.class)
                .hasMessageContaining("the model of version 2 (8 bytes) is not what was saved")
                .hasMessageContaining("Nothing may write to what Model.save has returned"));
    }
}
