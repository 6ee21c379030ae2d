package org.ulfmj.runtime.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The event that this rank has marked a process failed. */
@Name("ulfm.Failure")
@Label("Process Failure")
@Category("MPI")
@Description("This rank holds a process for failed from now on")
@StackTrace(false)
public final class FailureEvent extends Event {
    @Label("Process")
    @Description("Its rank in the world, and behind an apostrophe how often that rank was started again")
    public String process;

    @Label("Declared By")
    @Description("The process that declared it first")
    public String declaredBy;

    @Label("Reason")
    public String reason;
}
