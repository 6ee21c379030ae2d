package org.ulfmj.launch.command;

import java.util.List;
import org.ulfmj.command.Given;
import org.ulfmj.command.OptionTable;
import org.ulfmj.command.UnknownOptionException;
import org.ulfmj.command.UsageException;

/**
 * Reads a command line of any form, or throws with a sentence that says what is wrong with it. {@link PlainArguments}
 * reads the common form faster.
 */
final class AnyArguments {
    private static final OptionTable TABLE = OptionTable.ofLauncher(
            "mpiexec",
            List.of(
                    "mpiexec -n N [options] java -cp CLASSES Main [args]",
                    "       mpiexec -n N [options] COMMAND [args]",
                    "       mpiexec -n N [options] COMMAND [args] : -n N [options] COMMAND [args]",
                    "       mpiexec -n N [options] examples NAME [args]",
                    "       mpiexec --join FILE -n K [options] COMMAND [args]",
                    "       mpiexec doctor [N]"),
            "Starts N processes of an MPI program and goes on when some of them die.",
            OptionModel.ENTRIES);

    private AnyArguments() {}

    /** @throws UsageException if the command line cannot be understood */
    static Given read(String... arguments) {
        try {
            return TABLE.read(arguments);
        } catch (UnknownOptionException e) {
            if (ForeignOptions.isOfJava(e.option())) {
                throw new UsageException(e.option()
                        + " is an option of java: write it behind java, as in mpiexec -n 2 java -cp CLASSES Main");
            }
            String instead = ForeignOptions.advice(e.option());
            throw new UsageException(
                    instead == null ? e.getMessage() : e.option() + " is an option of other launchers: " + instead);
        } catch (IllegalArgumentException e) {
            throw new UsageException(e.getMessage());
        }
    }

    /** What {@code --help} shows. */
    static String help() {
        return TABLE.help();
    }
}
