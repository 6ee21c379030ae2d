package org.ulfmj.runtime.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;

/** The event of a wait inside a call that was not over after its first polls, from then until the wait ended. */
@Name("ulfm.Wait")
@Label("MPI Wait")
@Category("MPI")
@Description("A blocking call whose first polls did not see its end, from then to its end")
@Threshold("1 ms")
public final class WaitEvent extends Event {
    @Label("Operation")
    @Description("What is waited for, in the words of MPI: receive, allReduce, agree")
    public String operation;

    @Label("Communicator")
    public String communicator;

    @Label("Ranks")
    @Description("For whom it waits, by their ranks in the communicator; empty for the first that comes")
    public String ranks;

    @Label("Detail")
    @Description("What tells it from others of its kind: tag 7")
    public String detail;

    @Label("More Needs")
    @Description("How many other things the call waits for besides")
    public int moreNeeds;
}
