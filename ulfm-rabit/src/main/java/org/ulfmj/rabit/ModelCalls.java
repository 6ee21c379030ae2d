package org.ulfmj.rabit;

import java.nio.ByteBuffer;
import org.ulfmj.rabit.engine.Checkpoint;
import org.ulfmj.rabit.engine.CommitNote;
import org.ulfmj.rabit.engine.Mismatch;
import org.ulfmj.rabit.engine.ModelFault;
import org.ulfmj.rabit.engine.Replica;
import org.ulfmj.runtime.inject.KillPoints;

/**
 * A program's calls for its models: they load the models of the last checkpoint, and make the next checkpoint. For one
 * thread at a time.
 */
final class ModelCalls {
    private final Session session;
    private final Replica replica;
    private final Recovery recovery;

    ModelCalls(Session session, Replica replica, Recovery recovery) {
        this.session = session;
        this.replica = replica;
        this.recovery = recovery;
    }

    int loadCheckpoint(Model global, Model local) {
        session.enterCall("loadCheckpoint");
        session.faultPoint(KillPoints.RABIT_LOAD);
        int version = replica.load();
        if (version > 0) {
            load(global, replica.global(), "global");
            load(local, replica.local(), "local");
        }
        return version;
    }

    private void load(Model model, Checkpoint saved, String what) {
        if (model == null) {
            return;
        }
        if (saved == null) {
            throw new IllegalArgumentException(
                    "Rabit.loadCheckpoint: there is no " + what + " model in the program's checkpoints");
        }
        model.load(unchanged(saved));
    }

    /** Returns the bytes of a model. If they cannot be saved, or the program has changed them since, all ranks end. */
    private ByteBuffer unchanged(Checkpoint saved) {
        try {
            return saved.unchanged();
        } catch (ModelFault changed) {
            throw recovery.failed("loadCheckpoint", changed);
        }
    }

    byte[] globalModel() {
        return bytesOf(replica.global());
    }

    byte[] localModel() {
        return bytesOf(replica.local());
    }

    private byte[] bytesOf(Checkpoint saved) {
        if (saved == null) {
            return null;
        }
        ByteBuffer bytes = unchanged(saved);
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return copy;
    }

    /** @param local null if the program has no local model; this class owns both buffers from now on */
    void checkpoint(ByteBuffer global, ByteBuffer local) {
        commit("checkpoint", global, null, local);
    }

    void lazyCheckpoint(Model global) {
        commit("lazyCheckpoint", null, global, null);
    }

    private Checkpoint next(ByteBuffer global, Model lazy) {
        int version = replica.version() + 1;
        return lazy == null
                ? Checkpoint.of(version, session.epoch().number(), global)
                : Checkpoint.lazy(version, session.epoch().number(), () -> Rabit.saved(lazy));
    }

    /**
     * Rule B2: makes a checkpoint, which completes a version; again after each recovery until it is committed.
     *
     * @param lazy the global model, to be saved only when its bytes are needed, in place of {@code global}; or null
     */
    private void commit(String name, ByteBuffer global, Model lazy, ByteBuffer local) {
        session.enterCall(name);
        if (replica.isBootstrap()) {
            throw new IllegalStateException("Rabit." + name + " before loadCheckpoint");
        }
        session.faultPosition();
        session.beginWait();
        try {
            while (true) {
                // Checked again after each recovery: a result fetched from another rank may show that other ranks made
                // an operation, and no checkpoint, at this place.
                replica.requireAtEnd(name);
                replica.stage(next(global, lazy));
                recovery.requireSpillable(local);
                if (local != null && session.isAlone()) {
                    replica.stageLocal(
                            session.slot(),
                            Checkpoint.of(replica.version() + 1, session.epoch().number(), local));
                }
                if (recovery.commit(CommitNote.Intent.CHECKPOINT, local)) {
                    replica.committed();
                    session.wentOn();
                    recovery.spill();
                    recovery.letIn();
                    return;
                }
            }
        } catch (Mismatch wrong) {
            throw recovery.desync(wrong, name);
        } catch (ModelFault unusable) {
            throw recovery.failed(name, unusable);
        } finally {
            session.endWait();
        }
    }
}
