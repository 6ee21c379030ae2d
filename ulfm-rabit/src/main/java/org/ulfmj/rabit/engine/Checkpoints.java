package org.ulfmj.rabit.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The models that one rank holds: the committed one, local its own ones and of those it is a partner of, and what is
 * staged for the next commit. B2: the old ones go exactly when the commit is decided here, not when it is asked for.
 * For one thread.
 */
final class Checkpoints {
    private Checkpoint global;
    private SortedMap<Integer, Checkpoint> locals = new TreeMap<>();
    private Checkpoint stagedGlobal;
    private SortedMap<Integer, Checkpoint> stagedLocals = new TreeMap<>();

    /** The committed one; null before the first. */
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

    /** What the next commit is about; null if it is none of a model. */
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

    /** Nothing came of the commit. */
    void drop() {
        stagedGlobal = null;
        stagedLocals = new TreeMap<>();
    }

    /** Another rank's copy. */
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
