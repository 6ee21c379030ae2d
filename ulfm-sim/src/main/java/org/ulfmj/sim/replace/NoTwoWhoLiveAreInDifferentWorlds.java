package org.ulfmj.sim.replace;

/** Whatever is suspected: two that run, and that nobody who runs holds for failed, are in one world of an epoch. */
final class NoTwoWhoLiveAreInDifferentWorlds extends EntryPairs {
    private final ReplaceWorld world;

    NoTwoWhoLiveAreInDifferentWorlds(ReplaceWorld world) {
        super(world.worlds());
        this.world = world;
    }

    @Override
    String wrongWith(Worlds.Entry earlier, Worlds.Entry later) {
        return earlier.differsFrom(later) && world.isLive(earlier.rank()) && world.isLive(later.rank())
                ? "they differ, and both live"
                : null;
    }
}
