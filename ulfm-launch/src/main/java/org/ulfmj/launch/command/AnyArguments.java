package org.ulfmj.launch.command;

import java.util.List;
import org.ulfmj.command.GivenOptions;
import org.ulfmj.command.OptionTable;
import org.ulfmj.command.UnknownOptionException;

/** Reads any command line, or says what is wrong with it. */
final class AnyArguments implements Given {
    private final OptionTable table = OptionTable.ofLauncher(
            "mpiexec",
            List.of(
                    "mpiexec -n N [options] java -cp CLASSES Main [args]",
                    "       mpiexec -n N [options] COMMAND [args]",
                    "       mpiexec -n N [options] examples NAME [args]"),
            "Starts N processes of an MPI program and goes on when some of them die.",
            OptionModel.ENTRIES);
    private final GivenOptions given;

    /** @throws UsageException if it cannot be understood */
    AnyArguments(String... arguments) {
        given = read(arguments);
    }

    private GivenOptions read(String... arguments) {
        try {
            return table.read(arguments);
        } catch (UnknownOptionException e) {
            String instead = ForeignOptions.advice(e.option());
            throw new UsageException(
                    instead == null ? e.getMessage() : e.option() + " is an option of other launchers: " + instead);
        } catch (IllegalArgumentException e) {
            throw new UsageException(e.getMessage());
        }
    }

    /** What {@code --help} shows. */
    String help() {
        return table.help();
    }

    @Override
    public boolean has(String option) {
        return given.has(option);
    }

    @Override
    public String text(String option) {
        return given.text(option);
    }

    @Override
    public List<String> texts(String option) {
        return given.texts(option);
    }

    @Override
    public List<String> command() {
        return given.command();
    }
}
