package org.ulfmj.runtime.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** The event of a call that survivors make together, such as shrink, from its beginning to its decision. */
@Name("ulfm.Agreement")
@Label("Agreement")
@Category("MPI")
@Description("A call that survivors make together, such as shrink, from its beginning to its decision")
public final class AgreementEvent extends Event {
    @Label("Call")
    public String call;

    @Label("Communicator")
    public String communicator;

    @Label("Failed")
    @Description("How many members the decision leaves out")
    public int failed;
}
