package org.ulfmj.testkit.invariant;

import java.nio.IntBuffer;
import java.util.Arrays;
import mpi.Request;

/** A request that is over, with success or an error: its buffer's content then, to be compared with the later one. */
final class CompletedRequest {
    final String name;
    private final Request request;
    private final IntBuffer buffer;
    private final int[] content;

    CompletedRequest(String name, Request request, IntBuffer buffer) {
        this.name = name;
        this.request = request;
        this.buffer = buffer;
        this.content = content(buffer);
    }

    /** What has changed since, or null. */
    String change() {
        if (!request.isNull()) {
            return name + " is active again";
        }
        int[] now = content(buffer);
        int at = Arrays.mismatch(content, now);
        return at < 0 ? null : name + ": element " + at + " of its buffer was " + content[at] + " and is " + now[at];
    }

    private static int[] content(IntBuffer buffer) {
        int[] content = new int[buffer.capacity()];
        buffer.duplicate().clear().get(content);
        return content;
    }
}
