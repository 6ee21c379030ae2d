package org.ulfmj.rabit.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The models that one rank holds: the committed global model, the committed local models of this rank and of the ranks
 * whose partner it is, and the models that are staged for the next commit. B2: a commit drops the old models when it is
 * decided here, not when it is asked for. For one thread.
 */
final class Checkpoints {
    private Checkpoint global;
    private SortedMap<Integer, Checkpoint> locals = new TreeMap<>();
    private Checkpoint stagedGlobal;
    private SortedMap<Integer, Checkpoint> stagedLocals = new TreeMap<>();

    /** The committed global model; null if this rank has none. */
    Checkpoint global() {
        return global;
    }

    /** A rank's local model of the committed version; null if it is not held here. */
    Checkpoint local(int owner) {
        return locals.get(owner);
    }

    void stage(Checkpoint next) {
        stagedGlobal = next;
    }

    /** The global model that is staged for the next commit; null if none is. */
    Checkpoint staged() {
        return stagedGlobal;
    }

    void stageLocal(int owner, Checkpoint next) {
        stagedLocals.put(owner, next);
    }

    void commit() {
        global = stagedGlobal;
        locals = stagedLocals;
        drop();
    }

    /** Drops the staged models. */
    void drop() {
        stagedGlobal = null;
        stagedLocals = new TreeMap<>();
    }

    /**
     * Takes the committed global model, which came from another rank or from a disk. Drops the local models if they are
     * of another version.
     */
    void fetch(Checkpoint committed) {
        if (global == null || global.version() != committed.version()) {
            locals.clear();
        }
        global = committed;
    }

    void fetchLocal(int owner, Checkpoint committed) {
        locals.put(owner, committed);
    }

    void clear() {
        global = null;
        locals.clear();
        drop();
    }

    /** Owners of the local models of a version that are held here, ascending. */
    List<Integer> localOwners(int version) {
        List<Integer> owners = new ArrayList<>();
        for (SortedMap.Entry<Integer, Checkpoint> local : locals.entrySet()) {
            if (local.getValue().version() == version) {
                owners.add(local.getKey());
            }
        }
        return owners;
    }
}
