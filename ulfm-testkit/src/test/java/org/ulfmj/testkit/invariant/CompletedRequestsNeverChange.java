package org.ulfmj.testkit.invariant;

import java.util.ArrayList;
import java.util.List;

/**
 * Invariant: a request that has completed stays null, and nothing is written to its buffer any more, whichever rank
 * dies or revokes later.
 */
final class CompletedRequestsNeverChange extends ProgramInvariant {
    private final List<CompletedRequest> completed = new ArrayList<>();

    @Override
    void onCompleted(CompletedRequest request) {
        completed.add(request);
    }

    @Override
    void atEnd(Run run) {
        for (CompletedRequest request : completed) {
            String change = request.change();
            if (change != null) {
                violated(change);
            }
        }
    }
}
