package org.ulfmj.launch.hosts;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.ulfmj.runtime.inject.HostNames;

/**
 * The hosts of a job as a plan of faults names them. The word for one of these hosts in a written plan is its index.
 */
public final class JobHostNames implements HostNames {
    private final JobHosts hosts;

    public JobHostNames(JobHosts hosts) {
        this.hosts = hosts;
    }

    /**
     * The index of the host that a word stands for; -1 for the launcher's own host if it is not one of the job's hosts.
     */
    public static int indexOf(String word) {
        return word.equals(LAUNCHER) ? -1 : Integer.parseInt(word);
    }

    @Override
    public String wordOf(String name) {
        if (name.equals(LAUNCHER)) {
            return launcher();
        }
        // A number is always an index, even where a host has this number for a name: so a plan that was written with
        // indices is read again with the same meaning.
        if (all().contains(name)) {
            return name;
        }
        for (int index = 0; index < hosts.hosts().size(); index++) {
            if (name.equals(hosts.hosts().get(index).name())) {
                return Integer.toString(index);
            }
        }
        return null;
    }

    private String launcher() {
        for (int index = 0; index < hosts.hosts().size(); index++) {
            if (hosts.hosts().get(index).isHere()) {
                return Integer.toString(index);
            }
        }
        return LAUNCHER;
    }

    @Override
    public List<String> all() {
        List<String> words = new ArrayList<>();
        for (int index = 0; index < hosts.hosts().size(); index++) {
            words.add(Integer.toString(index));
        }
        if (launcher().equals(LAUNCHER)) {
            words.add(LAUNCHER);
        }
        return words;
    }

    @Override
    public SortedSet<Integer> ranksOn(String word) {
        SortedSet<Integer> ranks = new TreeSet<>();
        for (int rank = 0; rank < hosts.hostOfSlot().size(); rank++) {
            if (hosts.hostOf(rank) == indexOf(word)) {
                ranks.add(rank);
            }
        }
        return ranks;
    }

    @Override
    public boolean hasAgent(String word) {
        return !word.equals(launcher());
    }
}
