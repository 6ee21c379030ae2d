package org.ulfmj.runtime.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The event that this rank has learned that a communicator is revoked. */
@Name("ulfm.Revoke")
@Label("Communicator Revoked")
@Category("MPI")
@Description("This rank knows from now on that a communicator is revoked, by its own call or another rank's")
@StackTrace(false)
public final class RevokeEvent extends Event {
    @Label("Communicator")
    public String communicator;
}
