package org.ulfmj.agree;

import static org.assertj.core.api.Assertions.assertThat;

/** Makes worlds in which a member has died, with its replacement up to a certain point. */
final class ReplacedWorlds {
    private ReplacedWorlds() {}

    /** Returns a world in which the member of a slot has died, and all others wait in replace(). */
    static ReplaceWorld replacing(int size, int slot) {
        ReplaceWorld world = new ReplaceWorld(size);
        world.crash(world.member(slot));
        world.replaceStrictly();
        return world;
    }

    /** Returns a world in which all survivors have returned from replace(), and no message has reached the newcomer. */
    static ReplaceWorld withNewcomer(int size, int slot) {
        ReplaceWorld world = replacing(size, slot);
        ReplaceWorld.Member newcomer = world.start(slot);
        world.announceToAll(newcomer);
        world.settleWithout(newcomer);
        assertThat(newcomer.core.isPending()).isTrue();
        assertThat(world.told()).hasSize(1);
        return world;
    }

    /** Returns a world of four in which slot 2 was replaced. */
    static ReplaceWorld replacedOnce() {
        ReplaceWorld world = new ReplaceWorld(4);
        replaceSlotTwo(world);
        return world;
    }

    static void replaceSlotTwo(ReplaceWorld world) {
        world.crash(world.member(2));
        world.replaceStrictly();
        world.fill(2);
        assertThat(world.told()).containsOnlyKeys(1L);
    }
}
