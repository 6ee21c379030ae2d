package org.ulfmj.launch.command;

/** What the user wants of the cores of ranks ({@code --bind-to}). */
public enum BindTo {
    /** Each rank keeps one core for itself, with all its hardware threads. */
    CORE,
    /** Each rank keeps one hardware thread for itself. */
    HWTHREAD,
    /** Each rank keeps the processors that the user names. */
    CPU_LIST,
    /** Each rank keeps a socket, which it may share. */
    SOCKET,
    /** Each rank keeps the cores of a node of memory, which it may share. */
    NUMA,
    /** Each rank keeps the cores of a third-level cache, which it may share. */
    L3CACHE,
    /** Any rank may use any core. */
    NONE,
    /** The user has not said: the launcher decides, for the first seconds of a rank alone. */
    UNSAID
}
