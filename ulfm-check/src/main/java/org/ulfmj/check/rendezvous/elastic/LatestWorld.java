package org.ulfmj.check.rendezvous.elastic;

import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.ulfmj.rendezvous.rounds.Joiner;

/** Finds the latest world, as the decisions of its members need it. */
final class LatestWorld {
    private LatestWorld() {}

    /**
     * Returns a process that takes part and is in the latest of the worlds of such processes; null if none takes part.
     */
    static <A extends Applicant<?>> A member(Collection<? extends A> all, Predicate<? super A> takesPart) {
        A latest = null;
        for (A one : all) {
            if (takesPart.test(one)) {
                boolean isLater = latest == null
                        || one.round() > latest.round()
                        || one.round() == latest.round() && one.epoch() > latest.epoch();
                latest = isLater ? one : latest;
            }
        }
        return latest;
    }

    /**
     * Returns the processes of which at least one of the members was told that they wait, in the order of joiners,
     * without those that the world of {@code latest} lists already.
     */
    static SortedMap<Joiner, Joiner> applicants(List<? extends Applicant<?>> members, Applicant<?> latest) {
        SortedMap<Joiner, Joiner> inOrder = new TreeMap<>();
        for (Applicant<?> member : members) {
            for (Joiner joiner : member.waiting().values()) {
                if (latest.table().stream().noneMatch(listed -> listed.nonce() == joiner.nonce())) {
                    inOrder.put(joiner, joiner);
                }
            }
        }
        return inOrder;
    }
}
