package org.ulfmj.launch.command;

/** To which cores or processors the user wants ranks to be bound ({@code --bind-to}). */
public enum BindTo {
    /**
     * Each rank is bound to one core, with those of its hardware threads that {@code mpiexec} may use; no other rank
     * gets this core.
     */
    CORE,
    /** Each rank is bound to one hardware thread, which no other rank gets. */
    HWTHREAD,
    /** Each rank is bound to the processors that the user lists for it. */
    CPU_LIST,
    /** Each rank is bound to the cores of one processor socket, which it may share with other ranks. */
    SOCKET,
    /** Each rank is bound to the cores of one memory (NUMA) node, which it may share with other ranks. */
    NUMA,
    /** Each rank is bound to the cores that share one third-level cache, which it may share with other ranks. */
    L3CACHE,
    /** Any rank may use any core. */
    NONE,
    /**
     * The command line does not say {@code --bind-to}: the launcher decides, and binds a rank for its first seconds at
     * most.
     */
    UNSAID
}
