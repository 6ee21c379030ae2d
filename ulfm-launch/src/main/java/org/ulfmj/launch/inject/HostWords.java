package org.ulfmj.launch.inject;

import java.util.Set;

/** The words under which the processes of a job know a host that a plan of faults names. */
public interface HostWords {
    Set<String> wordsOf(String host);
}
