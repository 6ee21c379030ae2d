package org.ulfmj.runtime.inject;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The hosts of a job as a plan of faults names them. The parts of a plan compare hosts by their words. Each host has
 * one word; in plans for processes the launcher's host has a second one, {@value #LAUNCHER}.
 */
public interface HostNames {
    /**
     * The name of the launcher's host in rules, and its word if it is not one of the job's hosts. In plans for
     * processes it is one of the words of the launcher's host in any case.
     */
    String LAUNCHER = "mpiexec";

    /**
     * The names of hosts at a process of the job, which knows them by their words alone. Plans that a process reads
     * were written by the launcher.
     */
    HostNames IN_PROCESSES = new HostNames() {
        @Override
        public String wordOf(String name) {
            return name;
        }

        @Override
        public List<String> all() {
            return List.of();
        }

        @Override
        public SortedSet<Integer> ranksOn(String word) {
            return new TreeSet<>();
        }

        @Override
        public boolean hasAgent(String word) {
            return true;
        }
    };

    /** Returns the word of a host in plans for its processes, which know hosts by their keys. */
    static String wordOf(long key) {
        return Long.toHexString(key);
    }

    /** Returns the key of a host from the word that {@link #wordOf(long)} gave. */
    static long keyOf(String word) {
        return Long.parseUnsignedLong(word, 16);
    }

    /**
     * Returns the word of a host.
     *
     * @param name the host's name, its index among the hosts of the job (a number is always that), or
     *     {@value #LAUNCHER} for the launcher's own host
     * @return null if the job has no such host
     */
    String wordOf(String name);

    /** The words of all hosts of the job and of its launcher. */
    List<String> all();

    /** The ranks whose first processes are started on a host. */
    SortedSet<Integer> ranksOn(String word);

    /** Whether the processes of a host are started by an agent, and not by the launcher itself. */
    boolean hasAgent(String word);
}
