package org.ulfmj.rabit.engine;

/**
 * What an operation of the bootstrap phase is found by: where in the program it is made, or the name that the program
 * gave it.
 *
 * @param name the call site, or the key
 * @param isKey whether the name is a key that the program gave
 * @param site where the call is, for messages
 */
public record Place(String name, boolean isKey, String site) {
    public static Place ofSite(String site) {
        return new Place(site, false, site);
    }

    public static Place ofKey(String key, String site) {
        return new Place(key, true, site);
    }

    /** A text that names this place. A key never equals a call site. */
    String id() {
        return isKey ? "key " + name : name;
    }

    @Override
    public String toString() {
        return isKey ? "key \"" + name + "\" at " + site : site;
    }
}
