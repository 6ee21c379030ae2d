package org.ulfmj.launch.command;

/** What the user wants of the cores of ranks ({@code --bind-to}). */
public enum BindTo {
    /** Each rank keeps one core for itself. */
    CORE,
    /** Any rank may use any core. */
    NONE,
    /** The user has not said: the launcher decides, for the first seconds of a rank alone. */
    UNSAID
}
