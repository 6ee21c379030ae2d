package org.ulfmj.launch.inject;

import java.util.Set;

/** Gives for a host that a fault plan names the words by which the processes of the job recognize it. */
public interface HostWords {
    Set<String> wordsOf(String host);
}
